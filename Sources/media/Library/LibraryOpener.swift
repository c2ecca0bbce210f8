import Blobs
import Copies
import FoundationEssentials
import Glibc
import HTTP
import Harvest
import Machine
import MediaLibrary
import Posts
import Storage
import Synchronization
import Terminal

/// Opens one library: its store, its pictures' bytes and its locks.
struct LibraryOpener: Sendable {
  /// The library's folder; of a library with an address, the folder of this machine's own.
  let path: String
  /// The library's address; nil if it is in a folder.
  let address: LibraryAddress?
  /// The pictures' bytes.
  let blobs: any BlobStoring
  /// The same of a library with an address, which knows where its pictures are.
  let placed: PlacedBlobs?
  /// The open folder, under which its locks are found even after a rename.
  private let folder: OpenDirectory
  /// Whether the folder was named on the command line.
  private let isNamed: Bool
  /// Whether the library must be there: what is asked of it makes none.
  private let mustExist = Note()
  /// Whether this command made the folder of a library with an address.
  private let newFolder = Note()
  /// Whether the server of a library with an address has answered this command.
  private let hasAnswered = Note()
  let console: Console
  /// The time by which the library goes, once it was opened.
  let time: TimeSource
  private let clock: LibraryClock?

  /// - Parameters:
  ///   - path: The library's folder.
  ///   - address: Its address, if it has one, and the place of its pictures then.
  ///   - isNamed: Whether it was named on the command line.
  ///   - console: Where messages go.
  ///   - time: The time of the library.
  ///   - clock: What goes by the clock of the library's server once the library is open; nil if nothing does.
  init(
    at path: String, address: (library: LibraryAddress, blobs: PlacedBlobs)? = nil, isNamed: Bool, console: Console,
    time: TimeSource, clock: LibraryClock? = nil
  ) {
    (self.path, self.address, self.isNamed) = (path, address?.library, isNamed)
    (self.console, self.time, self.clock) = (console, time, clock)
    folder = OpenDirectory(path)
    placed = address?.blobs
    blobs = placed ?? DiskBlobs(library: folder)
  }

  /// Where the library is, as people may see it.
  var shownPath: String { address?.shown ?? path }

  /// The library, which has to be closed. A read-only library that does not exist is empty.
  func openStore(for purpose: Store.Purpose = .command) throws -> Store {
    let store = try opened(for: purpose)
    // The folder may be new.
    folder.openIfPresent()
    if store.isUnchecked {
      console.message("media: the last command was cut off, and the library is large: \"media check\" looks it through")
    }
    return store
  }

  private func opened(for purpose: Store.Purpose) throws -> Store {
    guard let placed else {
      try expectOwnFolder(for: purpose)
      return try Store.open(library: path, for: purpose, now: time.now())
    }
    do {
      let store = try openServer(for: purpose)
      do { try placed.follow(store) } catch {
        store.close()
        throw error
      }
      return store
    } catch StorageError.unsuitable(_, .empty) where purpose == .reading && !mustExist.isSet {
      // A pull reads settings before it makes the library. One that is not there has none.
      return try Store.open(library: path, for: .reading, now: time.now())
    }
  }

  /// The library of an address, wherever its pictures are.
  func openServer(for purpose: Store.Purpose) throws -> Store {
    guard let address else { throw FolderLibrary() }
    do throws(StorageError) {
      let store = try Store.open(library: address, for: purpose, creates: !mustExist.isSet)
      makeFolder()
      hasAnswered.set()
      if let leases = store.leases { try clock?.follow(leases) }
      return store
    } catch {
      // It holds no more than the locks of a library that was never there.
      if case .noServer = error, newFolder.isSet, !hasAnswered.isSet {
        try? FileManager.default.removeItem(atPath: path)
      }
      throw error
    }
  }

  /// Throws where a library in a folder would begin among the pictures of one on a server. The garbage collection of each
  /// would remove what the other one stores.
  private func expectOwnFolder(for purpose: Store.Purpose) throws {
    guard purpose != .reading, !exists, let found = blobs as? DiskBlobs else { return }
    if try found.hasFile(named: PlacedBlobs.identityFile) { throw PicturesOfAnother(folder: path) }
  }

  /// Makes the folder of this machine that a library with an address needs.
  private func makeFolder() {
    if FileManager.default.fileExists(atPath: path) { return }
    newFolder.set()
    try? FileManager.default.createDirectory(
      atPath: path, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// The folder with the locks. The first command on a machine may want a lock before it opens the library.
  private var lockable: OpenDirectory {
    if address != nil { makeFolder() }
    return folder
  }

  /// The library as one value, open for as long as a list or a server shows it.
  func openLibrary(for purpose: Store.Purpose = .writing) throws -> Library {
    Library(store: try opened(for: purpose), blobs: blobs, folder: path, now: time.now)
  }

  /// Runs work with the library open, then closes it.
  func withStore<Value>(for purpose: Store.Purpose = .command, _ body: (Store) throws -> Value) throws -> Value {
    let store = try openStore(for: purpose)
    defer { store.close() }
    return try body(store)
  }

  /// The lock for storing and removing pictures.
  var pictureLock: PictureLock { PictureLock(library: lockable) }

  /// The moment since which the bytes of an evicted avatar stay: none in a folder, where the lock for pictures holds off
  /// everybody who stores some. Other machines do not know that lock.
  ///
  /// - Parameter grace: The moment since which garbage collection leaves files alone.
  func evictionGrace(_ grace: Date) -> Date { address == nil ? .distantFuture : grace }

  /// The lock for pulling a feed.
  var feedLocks: FeedLocks { FeedLocks(library: lockable) }

  /// The lock for harvesting.
  var harvestLock: HarvestLock { HarvestLock(library: lockable) }

  /// Up to where it was copied into other libraries.
  var copyMarks: CopyMarks { CopyMarks(in: path) }

  /// Whether another name leads to the same folder.
  func isSame(as other: LibraryOpener) -> Bool {
    var (one, two) = (stat(), stat())
    if address != nil || other.address != nil { return address?.shown == other.address?.shown }
    guard stat(path, &one) == 0, stat(other.path, &two) == 0 else { return path == other.path }
    return one.st_dev == two.st_dev && one.st_ino == two.st_ino
  }

  /// Whether the library exists. One with an address says so itself when it is opened.
  var exists: Bool { address != nil || FileManager.default.fileExists(atPath: "\(path)/media.sqlite") }

  /// Throws if the library may not be read, or if a folder named on the command line holds none: a mistyped name is more
  /// likely than a new library, and reading creates none. A database that has none says so when it is opened.
  ///
  /// - Parameter isOther: Whether it is another library than that of the command, which `--library` does not name.
  func expectIfNamed(asOther isOther: Bool = false) throws {
    mustExist.set()
    if address == nil, access("\(path)/media.sqlite", R_OK) != 0 {
      if errno == EACCES { throw ForbiddenLibrary(folder: path, isOther: isOther) }
      if errno == ENOTDIR { throw FileForLibrary(path: path, isOther: isOther) }
    }
    guard isNamed, !exists else { return }
    throw NoLibrary(folder: path, isOther: isOther)
  }
}

/// What a command noted on its way.
private final class Note: Sendable {
  private let flag = Atomic(false)

  var isSet: Bool { flag.load(ordering: .relaxed) }

  func set() { flag.store(true, ordering: .relaxed) }
}

/// The folder has the pictures of a library on a server.
struct PicturesOfAnother: ExplainedError, Equatable {
  let folder: String

  var summary: String { "a library on a server keeps its pictures in \(folder)" }
  var cure: String? { "choose another folder with --library" }
  var exitCode: ExitCode { .storage }
}

/// Something is asked of a library in a folder that only one on a server has.
struct FolderLibrary: ExplainedError, Equatable {
  var summary: String { "the library is in a folder" }
  var cure: String? { "name one on a server, such as --library 'postgresql://HOST/DATABASE?blobs=s3://BUCKET/PREFIX'" }
  var exitCode: ExitCode { .usage }
}

/// A file has the name of the library's folder.
struct FileForLibrary: ExplainedError, Equatable {
  let path: String
  var isOther = false

  var summary: String { "\(path) is a file and not a library's folder" }
  var cure: String? {
    PathText.name(of: path) == "media.sqlite"
      ? "name its folder, \(PathText.parent(of: path))" : isOther ? "name a folder" : "name another with --library"
  }
  var exitCode: ExitCode { .storage }
}

/// The user may not read the library.
struct ForbiddenLibrary: ExplainedError, Equatable {
  let folder: String
  var isOther = false

  var summary: String { "\(folder)/media.sqlite may not be read" }
  var cure: String? { "check who owns it\(isOther ? "" : ", or choose another folder with --library")" }
  var exitCode: ExitCode { .storage }
}

/// The named folder holds no library.
struct NoLibrary: ExplainedError, Equatable {
  let folder: String
  var isOther = false

  var summary: String { "there is no library at \(folder)" }
  var cure: String? {
    isOther
      ? "check how it is spelt, or name the folder to which it has moved"
      : "check how it is spelt, or name the folder to which it has moved with --library; a pull or \"media add\" makes one"
  }
  var exitCode: ExitCode { .storage }
}
