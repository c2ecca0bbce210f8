import Machine
import Migrations
import Posts

/// Why the library could not be opened, read or written. `path` says where the library is. Every store maps the failures
/// of its engine to these cases.
public enum StorageError: Error, Equatable {
  /// A newer version of the program made the library.
  case newer(path: String)
  /// A program before the first release made the library, and none since then migrates it.
  case older(path: String)
  /// What is there is not a library of this program.
  case notALibrary(path: String)
  /// What is stored contradicts itself.
  case damaged(path: String, reason: String)
  /// The disk, or the quota, is full.
  case full(path: String)
  /// The library may not be written.
  case readOnly(path: String)
  /// A write was attempted on a library that was opened for reading.
  case openedForReading(path: String)
  /// Another process locked the library for too long.
  case busy(path: String)
  /// The folder is on a network file system, which `fileSystem` names.
  case remote(path: String, fileSystem: String)
  /// The database server, or the database, cannot hold the library.
  case unsuitable(path: String, ServerFault)
  /// The database server does not answer.
  case noServer(path: String, reason: String)
  /// The database server refuses the user, the password or the database.
  case loginRefused(path: String, reason: String)
  /// The library is on a server, which makes its copies itself.
  case copiedByServer(path: String)
  /// Another failure, in the words of the system or the engine.
  case io(path: String, reason: String)
  /// No post has these numbers.
  case unknownPosts([Int64])
  /// Another pull of the same feed has changed the coverage interval that this one extends.
  case overtaken(feed: String)
  /// The post with this number is not edited.
  case notEdited(Int64, EditRefusal)
  /// A filter names a saved search that cannot be used, and why.
  case unusableSearch(String, reason: String)
}

extension StorageError: ExplainedError {
  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .newer(let path): "\(path) was made by a newer version of media"
    case .older(let path): "\(path) was made by a version of media before 1.0"
    case .notALibrary(let path): "\(path) is not a media library"
    case .damaged(let path, let reason): "\(path) is damaged (\(reason))"
    case .full(let path): FullDisk.summary(path)
    case .readOnly(let path): "\(path) may not be written"
    case .openedForReading(let path): "\(path) is open to be read, not to be written"
    case .busy(let path): "another program keeps \(path) locked"
    case .remote(let path, let fileSystem):
      "\(path) lies on a network file system (\(fileSystem)), where two machines would write over each other"
    case .unsuitable(let path, let fault): fault.summary(of: path)
    case .noServer(let path, let reason): "the server of \(path) cannot be reached (\(reason))"
    case .loginRefused(let path, let reason): "the server of \(path) refuses the login (\(reason))"
    case .copiedByServer(let path): "\(path) is on a server, which makes its copies itself"
    case .io(let path, let reason): "\(path) cannot be read or written (\(reason))"
    case .unknownPosts(let ids):
      "no post has the id \(ids.map(String.init).joined(separator: ", "))"
    case .overtaken(let feed): "another pull of \(feed) is under way"
    case .notEdited(let id, let reason): reason.summary(of: id)
    case .unusableSearch(let name, let reason): "the saved search \"\(name)\" cannot be used (\(reason))"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .newer: "update media"
    case .older: "open it once with the program of commit \(lastOfOlder), then again with this one"
    case .notALibrary: "choose another folder with --library"
    case .damaged:
      #"run "media check --repair"; if that does not help, restore a backup, or put a dated copy (media-before-….sqlite) in its place"#
    case .full: FullDisk.cure
    case .readOnly: "check who owns it, or choose another folder with --library"
    case .openedForReading: "open the library for writing"
    case .busy, .overtaken: "try again when the other is done"
    case .remote: "choose a folder on a disk of this machine with --library"
    case .unsuitable(_, let fault): fault.cure
    case .noServer: "check the address and that the server runs"
    case .loginRefused: "check the user and the database in the address, and the password in ~/.pgpass"
    case .copiedByServer: "copy the database with pg_dump, and then the folder of the pictures"
    case .io: nil
    case .unknownPosts: #""media list" shows the ids"#
    case .notEdited(let id, let reason): reason.cure(of: id)
    case .unusableSearch: #""media searches save" gives it another filter"#
    }
  }

  /// Whether only a newer program can use the library.
  public var needsUpdate: Bool {
    if case .newer = self { return true }
    return false
  }

  /// 74 if the library or the disk fails, 75 if waiting helps, 64 if a number was wrong.
  public var exitCode: ExitCode {
    switch self {
    case .unsuitable(_, .crowded): .tryLater
    case .newer, .older, .notALibrary, .damaged, .full, .readOnly, .openedForReading, .remote, .unsuitable,
      .loginRefused, .copiedByServer, .io:
      .storage
    case .busy, .noServer, .overtaken, .notEdited(_, .changedMeanwhile): .tryLater
    case .unknownPosts, .notEdited, .unusableSearch: .usage
    }
  }
}

/// The last commit whose program migrates libraries of all versions before the first release.
private let lastOfOlder = "90cc6253"

extension [Migration] {
  /// Refuses a library of a version from which these migrations do not lead on.
  func expect(_ version: Int, _ path: String) throws(StorageError) {
    guard let first, version >= first.version else { throw .older(path: path) }
    guard version <= newest else { throw .newer(path: path) }
  }
}

extension EditRefusal {
  fileprivate func summary(of post: Int64) -> String {
    switch self {
    case .pulled: "post \(post) was pulled, and only posts made by hand can be edited"
    case .changedMeanwhile: "post \(post) was changed meanwhile"
    case .endsBeforeStart: "the finish is not after the start"
    case .noAttachment: "post \(post) has no such attachment"
    case .nothingLeft: "post \(post) would have neither a title, a text nor a file"
    }
  }

  fileprivate func cure(of post: Int64) -> String? {
    switch self {
    case .pulled: #""media add" makes a post of your own"#
    case .changedMeanwhile: "look at it, and edit it again"
    case .endsBeforeStart: "give a later time"
    case .noAttachment: #""media show \#(post)" lists them"#
    case .nothingLeft: #""media delete \#(post)" deletes it"#
    }
  }
}
