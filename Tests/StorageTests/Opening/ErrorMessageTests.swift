import Blobs
import Posts
import Testing

@testable import Storage

struct ErrorMessageTests {
  @Test(arguments: [
    (StorageError.newer(path: "/l"), "/l was made by a newer version of media: update media", ExitCode.storage),
    (
      .older(path: "/l"),
      "/l was made by a version of media before 1.0: "
        + "open it once with the program of commit 90cc6253, then again with this one", .storage
    ),
    (.notALibrary(path: "/l"), "/l is not a media library: choose another folder with --library", .storage),
    (
      .damaged(path: "/l", reason: "malformed"),
      #"/l is damaged (malformed): run "media check --repair"; if that does not help, restore a backup, or put a dated copy (media-before-….sqlite) in its place"#,
      .storage
    ),
    (
      .full(path: "/l"),
      "the disk is full, /l cannot be written: free some space and run the command again; what was stored stays",
      .storage
    ),
    (
      .readOnly(path: "/l"), "/l may not be written: check who owns it, or choose another folder with --library",
      .storage
    ),
    (
      .remote(path: "/l", fileSystem: "NFS"),
      "/l lies on a network file system (NFS), where two machines would write over each other: "
        + "choose a folder on a disk of this machine with --library", .storage
    ),
    (
      .openedForReading(path: "/l"), "/l is open to be read, not to be written: open the library for writing", .storage
    ),
    (.busy(path: "/l"), "another program keeps /l locked: try again when the other is done", .tryLater),
    (.io(path: "/l", reason: "Input/output error"), "/l cannot be read or written (Input/output error)", .storage),
    (.unknownPosts([4, 17]), #"no post has the id 4, 17: "media list" shows the ids"#, .usage),
    (
      .notEdited(4, .pulled),
      #"post 4 was pulled, and only posts made by hand can be edited: "media add" makes a post of your own"#, .usage
    ),
    (
      .notEdited(4, .changedMeanwhile), "post 4 was changed meanwhile: look at it, and edit it again", .tryLater
    ),
    (.notEdited(4, .noAttachment), #"post 4 has no such attachment: "media show 4" lists them"#, .usage),
    (
      .notEdited(4, .nothingLeft),
      #"post 4 would have neither a title, a text nor a file: "media delete 4" deletes it"#, .usage
    ),
    (.notEdited(4, .endsBeforeStart), "the finish is not after the start: give a later time", .usage),
    (
      .unusableSearch("keep", reason: "there is no album \"Keep\""),
      #"the saved search "keep" cannot be used (there is no album "Keep"): "media searches save" gives it another filter"#,
      .usage
    ),
    (.overtaken(feed: "tag:a@b"), "another pull of tag:a@b is under way: try again when the other is done", .tryLater),
  ])
  func `an error of the library is one line with its cure`(error: StorageError, line: String, code: ExitCode) {
    #expect(error.description == line)
    #expect(error.exitCode == code)
  }

  @Test(arguments: [
    (
      BlobError.full(location: "/b"),
      "the disk is full, /b cannot be written: free some space and run the command again; what was stored stays"
    ),
    (.readOnly(location: "/b"), "/b may not be written: check who owns it, or choose another folder with --library"),
    (
      .missing(BlobID(hashing: [])),
      "blobs/e3/b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855 is missing from the library"
    ),
    (.io(location: "/b", reason: "Input/output error"), "/b cannot be read or written (Input/output error)"),
  ])
  func `an error of a picture's file is one line with its cure`(error: BlobError, line: String) {
    #expect(error.description == line)
    #expect(error.exitCode == .storage)
  }
}
