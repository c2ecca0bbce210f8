import CSync
import Glibc

// Blobs as files of a folder. Written without a name, synced, then linked: a crash at any moment leaves either a whole
// blob or nothing with a name (restic, `internal/backend/local`, writes aside for the same reason).

/// The blobs of a library, at `blobs/ab/…` within its folder. Folders are made when first written to.
public struct DiskBlobs: BlobStoring {
  /// How drafts exist before they have a name.
  enum DraftStyle { case unnamed, named }

  /// The library's `blobs` folder.
  public let folder: String
  let library: String
  /// The library's folder: all work goes by it, and names are for people.
  let held: HeldFolder
  private let style: DraftStyle

  /// The blobs of the library in that folder. They stay those of the folder that is there now, or when it is first
  /// written to, whatever it is called later.
  public init(library: String) { self.init(library: library, style: .unnamed) }

  init(library: String, style: DraftStyle) {
    self.library = library
    folder = "\(library)/blobs"
    held = HeldFolder(library)
    // Without /proc an unnamed file cannot be linked by an ordinary user.
    self.style = access("/proc/self/fd", X_OK) == 0 ? style : .named
  }

  /// Keeps to the library's folder from now on, where it is there, even when it is renamed.
  public func hold() { held.hold() }

  /// A draft in the `blobs` folder: a file without a name, or where the file system knows none, a locked one in
  /// `blobs/tmp`.
  public func draft() throws(BlobError) -> BlobDraft {
    var file = openUnnamed()
    if file < 0 {
      if !held.isHeld { try Descriptor.makeFolder(library) }
      try Descriptor.makeFolder(place, named: folder)
      file = openUnnamed()
    }
    if file >= 0 { return try BlobDraft(file: file, path: nil, folder: folder, within: held) }
    switch errno {
    case EOPNOTSUPP, EISDIR, EINVAL, ENOENT: return try namedDraft()
    default: throw Descriptor.error(folder)
    }
  }

  /// Syncs the files, links each to its name, and syncs each folder that got a name; each step for all of them, so that
  /// the disk's journal is closed a few times in a batch, not twice for every file.
  public func keep(_ drafts: [BlobDraft]) throws(BlobError) -> [Kept] {
    var kept: [Kept] = []
    var touched: Set<String> = []
    var (good, synced) = try sync(drafts)
    for draft in drafts {
      let (id, byteCount) = try draft.finish()
      // What was good a moment ago is not read again, but it may be gone again.
      let held = good.contains(id) && Descriptor.size(of: place(of: id)) == byteCount
      if !held {
        if !synced.contains(ObjectIdentifier(draft)) { try sync(draft) }
        try link(draft, as: id, byteCount: byteCount, touching: &touched)
        good.insert(id)
      }
      draft.discard()
      kept.append(Kept(id: id, byteCount: byteCount, wasHeld: held))
    }
    for shelf in touched { try Descriptor.syncFolder(place + shelf, named: folder + shelf) }
    return kept
  }

  /// The absolute or relative path of a blob's file, below the library's path as it was given; it need not be there.
  public func path(of id: BlobID) -> String { "\(library)/\(id.path)" }

  /// Where the `blobs` folder is, whatever the library's is called by now.
  var place: String { "\(held.path)/blobs" }

  /// Where a blob's file is.
  func place(of id: BlobID) -> String { "\(held.path)/\(id.path)" }

  /// Whether a file has the blob's name; what is in it is not read.
  public func contains(_ id: BlobID) -> Bool { Descriptor.size(of: place(of: id)) != nil }

  /// All bytes of the blob's file.
  public func read(_ id: BlobID) throws(BlobError) -> [UInt8] {
    let path = path(of: id)
    let file = open(place(of: id), O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { throw errno == ENOENT ? .missing(id) : Descriptor.error(path) }
    defer { close(file) }
    return try Descriptor.read(file, at: 0, count: Descriptor.size(of: place(of: id)) ?? 0, path: path)
  }

  /// Removes drafts that a crash left behind where files cannot be unnamed; those of a living process are locked and
  /// stay. Returns how many went.
  @discardableResult
  public func removeLeftovers() throws(BlobError) -> Int {
    let drafts = "\(place)/tmp"
    guard let list = opendir(drafts) else { return 0 }
    defer { closedir(list) }
    var removed = 0
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      guard name.hasSuffix(".part") else { continue }
      let file = open("\(drafts)/\(name)", O_RDWR | O_CLOEXEC | O_NOFOLLOW)
      guard file >= 0 else { continue }
      defer { close(file) }
      if flock(file, LOCK_EX | LOCK_NB) == 0, unlink("\(drafts)/\(name)") == 0 { removed += 1 }
    }
    return removed
  }

  /// A file without a name in the `blobs` folder; below zero where there can be none, as `errno` says.
  private func openUnnamed() -> Int32 {
    guard style == .unnamed else {
      errno = EOPNOTSUPP
      return -1
    }
    let unnamed = O_DIRECTORY | 0o20_000_000  // O_TMPFILE, a macro Swift does not see
    return open(place, unnamed | O_RDWR | O_CLOEXEC, 0o600)
  }

  private func namedDraft() throws(BlobError) -> BlobDraft {
    let drafts = "\(place)/tmp"
    try Descriptor.makeFolder(drafts, named: "\(folder)/tmp")
    while true {
      var template = Array("\(drafts)/XXXXXX.part".utf8CString)
      let file = mkstemps(&template, 5)
      guard file >= 0 else { throw Descriptor.error("\(folder)/tmp") }
      let path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
      _ = fcntl(file, F_SETFD, FD_CLOEXEC)
      var status = stat()
      // Between its making and its lock the file may have been taken for a leftover: then it has no link any more.
      if flock(file, LOCK_EX | LOCK_NB) == 0, fstat(file, &status) == 0, status.st_nlink == 1 {
        return try BlobDraft(file: file, path: path, folder: folder, within: held)
      }
      close(file)
      unlink(path)
    }
  }

  /// Has the disk begin with all of the bytes before it waits for the first; says which blobs were there already, whole,
  /// and which drafts are on it now.
  private func sync(_ drafts: [BlobDraft]) throws(BlobError) -> (good: Set<BlobID>, synced: Set<ObjectIdentifier>) {
    var good: Set<BlobID> = []
    var ids: Set<BlobID> = []
    var new: [BlobDraft] = []
    for draft in drafts {
      let (id, byteCount) = try draft.finish()
      guard ids.insert(id).inserted else { continue }
      guard condition(of: id, byteCount: byteCount) != .good else {
        good.insert(id)
        continue
      }
      new.append(draft)
      try draft.locked { state throws(BlobError) in
        _ = sync_file_range(state.file, 0, 0, UInt32(sync_file_range_write))
      }
    }
    for draft in new { try sync(draft) }
    return (good, Set(new.map(ObjectIdentifier.init)))
  }

  private func sync(_ draft: BlobDraft) throws(BlobError) {
    try draft.locked { state throws(BlobError) in
      let file = state.file
      _ = try Descriptor.retried(folder) { fsync(file) }
    }
  }

  private func link(
    _ draft: BlobDraft,
    as id: BlobID,
    byteCount: Int,
    touching touched: inout Set<String>
  ) throws(BlobError) {
    let shelf = "\(folder)/\(id.shelf)"
    let target = place(of: id)
    if try Descriptor.makeFolder("\(place)/\(id.shelf)", named: shelf) { touched.insert("") }
    touched.insert("/\(id.shelf)")
    try draft.locked { state throws(BlobError) in
      let file = state.file
      if let path = state.path {
        _ = try Descriptor.retried(shelf) { rename(path, target) }
        state.path = nil
        return
      }
      if Self.name(file, as: target) { return }
      guard errno == EEXIST else { throw Descriptor.error(shelf) }
      if condition(of: id, byteCount: byteCount) == .good { return }
      try replace(target, by: file, of: id)
    }
  }

  /// What has a blob's name and is not it was damaged from outside: the verified bytes take its place in one step.
  private func replace(_ target: String, by file: Int32, of id: BlobID) throws(BlobError) {
    let drafts = "\(place)/tmp"
    try Descriptor.makeFolder(drafts, named: "\(folder)/tmp")
    // Nobody takes it for a leftover while it has its passing name.
    _ = flock(file, LOCK_EX | LOCK_NB)
    let passing = "\(drafts)/\(id.hex)-\(getpid())-\(file).part"
    while !Self.name(file, as: passing) {
      // A process of that number died here before.
      guard errno == EEXIST, unlink(passing) == 0 || errno == ENOENT else { throw Descriptor.error("\(folder)/tmp") }
    }
    guard rename(passing, target) == 0 else {
      let error = Descriptor.error(path(of: id))
      unlink(passing)
      throw error
    }
  }

  /// Gives an unnamed file its name.
  private static func name(_ file: Int32, as path: String) -> Bool {
    linkat(AT_FDCWD, "/proc/self/fd/\(file)", AT_FDCWD, path, AT_SYMLINK_FOLLOW) == 0
  }
}
