import CSync
import Glibc
import Machine

// Blobs as files of a folder. A blob is written to a file without a name, synced, then linked. So a crash at any moment
// leaves either a complete blob or none (restic, `internal/backend/local`, writes to a temporary file for the same
// reason).

/// The blobs of a library, at `blobs/ab/…` within its folder. Folders are created when first written to.
public struct DiskBlobs: BlobStoring {
  /// How drafts exist before they become blobs.
  enum DraftStyle { case unnamed, named }

  /// The library's `blobs` folder.
  public let folder: String
  let library: String
  /// The library's folder. All work uses it; names are only shown to people.
  let directory: OpenDirectory
  private let style: DraftStyle

  /// The blobs of the library in that folder. They stay in the folder that exists now, or when it is first written to,
  /// whatever its name is later.
  public init(library: String) { self.init(library: OpenDirectory(library)) }

  /// The blobs of the library in an open folder.
  public init(library: OpenDirectory) { self.init(library: library, style: .unnamed) }

  init(library: String, style: DraftStyle) { self.init(library: OpenDirectory(library), style: style) }

  private init(library: OpenDirectory, style: DraftStyle) {
    self.library = library.name
    folder = "\(library.name)/blobs"
    directory = library
    // Without /proc, an ordinary user cannot link an unnamed file.
    self.style = access("/proc/self/fd", X_OK) == 0 ? style : .named
  }

  /// Creates a draft in the `blobs` folder: a file without a name or, if the file system does not support that, a
  /// locked file in `blobs/tmp`.
  public func draft() throws(BlobError) -> any BlobReceiving {
    var file = openUnnamed()
    if file < 0 {
      if !directory.isOpen { try Descriptor.makeFolder(library) }
      try Descriptor.makeFolder(currentPath, named: folder)
      file = openUnnamed()
    }
    if file >= 0 { return try DiskDraft(file: file, path: nil, folder: folder, within: directory) }
    switch errno {
    case EOPNOTSUPP, EISDIR, EINVAL, ENOENT: return try namedDraft()
    default: throw BlobError(location: folder)
    }
  }

  /// Syncs the files, links each to its name, and syncs each folder that got a name. Each step runs for all files, so
  /// that the disk's journal is committed a few times per batch, not twice per file.
  public func keep(_ drafts: [any BlobReceiving]) throws(BlobError) -> [Kept] {
    var own: [DiskDraft] = []
    for draft in drafts {
      guard let draft = draft as? DiskDraft else {
        throw .io(location: folder, reason: "a draft is another store's")
      }
      own.append(draft)
    }
    guard !own.isEmpty else { return [] }
    let (good, synced) = try sync(own)
    var touched: Set<String> = []
    let kept = try locked(.shared) { () throws(BlobError) in
      try name(own, good: good, synced: synced, touching: &touched)
    }
    if touched.count >= Self.manyFiles {
      try syncFileSystem()
    } else {
      for subfolder in touched { try Descriptor.syncFolder(currentPath + subfolder, named: folder + subfolder) }
    }
    return kept
  }

  /// Gives a draft its name without a sync, for a cache: a loss of power may leave a file with other bytes.
  package func place(_ draft: any BlobReceiving) throws(BlobError) -> BlobID {
    guard let draft = draft as? DiskDraft else { throw .io(location: folder, reason: "a draft is another store's") }
    let (id, byteCount) = try draft.finish()
    try locked(.shared) { () throws(BlobError) in
      var touched: Set<String> = []
      try link(draft, as: id, byteCount: byteCount, touching: &touched)
    }
    draft.discard()
    return id
  }

  /// Gives each draft its name. Nothing is removed meanwhile.
  private func name(
    _ drafts: [DiskDraft], good: Set<BlobID>, synced: Set<ObjectIdentifier>, touching touched: inout Set<String>
  ) throws(BlobError) -> [Kept] {
    var kept: [Kept] = []
    var good = good
    for draft in drafts {
      let (id, byteCount) = try draft.finish()
      // A blob that was just verified is not read again, but it may have been removed before.
      let isStored = good.contains(id) && renew(id, byteCount: byteCount)
      if !isStored {
        if !synced.contains(ObjectIdentifier(draft)) { try sync(draft) }
        try link(draft, as: id, byteCount: byteCount, touching: &touched)
        good.insert(id)
      }
      draft.discard()
      kept.append(Kept(id: id, byteCount: byteCount, wasStored: isStored))
    }
    return kept
  }

  /// The path of a blob's file below the library's path as it was given. The file need not exist.
  public func path(of id: BlobID) -> String { "\(library)/\(id.path)" }

  /// The path of the `blobs` folder, whatever the library's name is by now.
  var currentPath: String { "\(directory.path)/blobs" }

  /// The path of a blob's file, whatever the library's name is by now.
  func currentPath(of id: BlobID) -> String { "\(directory.path)/\(id.path)" }

  /// Its path below the library's path as it was given.
  public func localFile(of id: BlobID) -> String? { path(of: id) }

  /// The length and times of the blob's file. Only a regular file is a blob.
  public func stat(_ id: BlobID) throws(BlobError) -> BlobInfo? {
    var status = Glibc.stat()
    guard lstat(currentPath(of: id), &status) == 0 else {
      if errno == ENOENT || errno == ENOTDIR { return nil }
      throw BlobError(location: path(of: id))
    }
    return BlobInfo(id, status)
  }

  /// Reads a part of the blob's file. It neither follows a link nor waits for the other end of a pipe.
  public func fetch(_ id: BlobID, _ range: Range<Int>) throws(BlobError) -> [UInt8] {
    let path = path(of: id)
    let file = open(currentPath(of: id), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK)
    guard file >= 0 else { throw errno == ENOENT || errno == ENOTDIR ? .missing(id) : BlobError(location: path) }
    defer { close(file) }
    return try Descriptor.read(file, range, path: path)
  }

  /// Removes drafts that a crash left behind, on file systems without unnamed files. Drafts of living processes are
  /// locked and stay.
  ///
  /// - Returns: the number of drafts removed.
  @discardableResult
  public func removeLeftovers() throws(BlobError) -> Int {
    let drafts = "\(currentPath)/tmp"
    guard let names = try? names(in: "tmp") else { return 0 }
    var removed = 0
    for (name, _) in names {
      guard name.hasSuffix(".part") else { continue }
      let file = open("\(drafts)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0, unlink("\(drafts)/\(name)") == 0 { removed += 1 }
    }
    return removed
  }

  /// Opens a file without a name in the `blobs` folder. Returns a negative number and sets `errno` if that fails.
  private func openUnnamed() -> Int32 {
    guard style == .unnamed else {
      errno = EOPNOTSUPP
      return -1
    }
    return openUnnamedFile(in: currentPath)
  }

  private func namedDraft() throws(BlobError) -> DiskDraft {
    let drafts = "\(currentPath)/tmp"
    try Descriptor.makeFolder(drafts, named: "\(folder)/tmp")
    while true {
      let (path, file) = makeTemporaryFile("\(drafts)/XXXXXX.part")
      guard file >= 0 else { throw BlobError(location: "\(folder)/tmp") }
      var status = Glibc.stat()
      // Another process may have removed the file as a leftover before it was locked. Then it has no links.
      if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_nlink == 1 {
        return try DiskDraft(file: file, path: path, folder: folder, within: directory)
      }
      close(file)
      unlink(path)
    }
  }

  /// Starts writing all files to the disk before it waits for the first. Returns which blobs existed already, verified,
  /// and which drafts are now on the disk.
  private func sync(_ drafts: [DiskDraft]) throws(BlobError) -> (good: Set<BlobID>, synced: Set<ObjectIdentifier>) {
    var good: Set<BlobID> = []
    var ids: Set<BlobID> = []
    var new: [DiskDraft] = []
    for draft in drafts {
      let (id, byteCount) = try draft.finish()
      guard ids.insert(id).inserted else { continue }
      guard condition(of: id, byteCount: byteCount) != .good else {
        good.insert(id)
        continue
      }
      new.append(draft)
      try draft.locked { state throws(BlobError) in
        FileTime.now.write(to: state.file)
        _ = sync_file_range(state.file, 0, 0, UInt32(sync_file_range_write))
      }
    }
    if new.count >= Self.manyFiles { try syncFileSystem() } else { for draft in new { try sync(draft) } }
    return (good, Set(new.map(ObjectIdentifier.init)))
  }

  /// From this number on, one sync of the whole file system takes a fraction of the time that one of each file takes.
  /// Pulls keep fewer at once, imports more.
  private static let manyFiles = 128

  /// Syncs all files and folders of the file system. Since Linux 5.8 it reports what could not be written
  /// (https://man7.org/linux/man-pages/man2/syncfs.2.html).
  private func syncFileSystem() throws(BlobError) {
    let file = open(currentPath, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard file >= 0 else { throw BlobError(location: folder) }
    defer { close(file) }
    _ = try Descriptor.retried(folder) { syncfs(file) }
  }

  private func sync(_ draft: DiskDraft) throws(BlobError) {
    try draft.locked { state throws(BlobError) in
      let file = state.file
      _ = try Descriptor.retried(folder) { fsync(file) }
    }
  }

  private func link(
    _ draft: DiskDraft,
    as id: BlobID,
    byteCount: Int,
    touching touched: inout Set<String>
  ) throws(BlobError) {
    let subfolder = "\(folder)/\(id.folderName)"
    let target = currentPath(of: id)
    if try Descriptor.makeFolder("\(currentPath)/\(id.folderName)", named: subfolder) { touched.insert("") }
    touched.insert("/\(id.folderName)")
    try draft.locked { state throws(BlobError) in
      let file = state.file
      if let path = state.path {
        _ = try Descriptor.retried(subfolder) { rename(path, target) }
        state.path = nil
        return
      }
      if nameFile(file, as: target) { return }
      guard errno == EEXIST else { throw BlobError(location: subfolder) }
      if condition(of: id, byteCount: byteCount) == .good { return }
      try replace(target, by: file, of: id)
    }
  }

  /// Replaces a file that has a blob's name but other bytes, since something outside damaged it. The verified bytes
  /// replace it in one step.
  private func replace(_ target: String, by file: Int32, of id: BlobID) throws(BlobError) {
    let drafts = "\(currentPath)/tmp"
    try Descriptor.makeFolder(drafts, named: "\(folder)/tmp")
    // The lock keeps other processes from removing it as a leftover while it has its temporary name.
    _ = flock(file, LOCK_EX | LOCK_NB)
    let temporary = "\(drafts)/\(id.hex)-\(getpid())-\(file).part"
    while !nameFile(file, as: temporary) {
      // A process with the same id died here before.
      guard errno == EEXIST, unlink(temporary) == 0 || errno == ENOENT else {
        throw BlobError(location: "\(folder)/tmp")
      }
    }
    guard rename(temporary, target) == 0 else {
      let error = BlobError(location: path(of: id))
      unlink(temporary)
      throw error
    }
  }
}
