import Blobs
import Posts
import Services
import Storage
import Synchronization

// Pictures: bytes first, rows afterwards.

extension Importer {
  /// The paths of all files that posts want, from one walk through an archive before its files are read. It also finds
  /// an archive that is cut short before anything is stored.
  func whole(_ reader: any ImportReader, _ report: inout Report) throws -> Set<String> {
    var paths: Set<String> = []
    try reader.eachPost { post in
      guard includesPrivate || !post.isPrivate, post.item.post != nil else { return }
      let wanted = try status(of: [post])[0].wanted
      for (index, path) in post.files.enumerated() where wanted.contains(index) {
        if let path { paths.insert(path) }
      }
    }
    return paths
  }

  /// The items of a batch, with the bytes of their pictures stored.
  func stored(
    _ batch: [FoundPost], of tree: any ImportTree, _ storedFiles: StoredFiles?, _ report: inout Report,
    _ progress: inout Progress
  ) throws -> [ImportItem] {
    let status = try status(of: batch)
    var wanted: Set<String> = []
    for (post, status) in zip(batch, status) {
      for index in status.wanted where post.files.indices.contains(index) {
        if let path = post.files[index] { wanted.insert(path) }
      }
    }
    let blobs = try storedFiles?.blobs ?? StoredFiles(wanted, of: tree, in: blobs).blobs
    progress.bytes += wanted.reduce(0) { $0 + (blobs[$1]?.byteCount ?? 0) }
    report.miss(wanted.filter { blobs[$0] == nil }.sorted())
    for (post, status) in zip(batch, status) { report.miss(status.missing.sorted().compactMap { post.absent[$0] }) }
    let root = tree.key
    return zip(batch, status).map { post, status in
      let pictures = post.files.enumerated().compactMap { index, path in
        status.wanted.contains(index) ? path.flatMap { blobs[$0] }.map { (index, $0) } : nil
      }
      let identified = Self.identified(post, pictures.first?.1)
      if post.item.post != nil { report.name(identified) }
      return ImportItem(identified, pictures: Dictionary(uniqueKeysWithValues: pictures), in: root)
    }
  }

  /// What the library has of posts. Of a post that its first picture names or may find, this is not known yet.
  func status(of posts: [FoundPost]) throws -> [ImportStatus] {
    let known = try store.importStatus(of: posts.map { ImportItem($0, pictures: [:], in: "") })
    return zip(posts, known).map { post, status in
      post.isNamedByPicture || post.isFoundByPicture && !status.isKnown
        ? ImportStatus(isKnown: false, missing: Set(post.files.indices)) : status
    }
  }

  /// The post with its whole identity. Without it, all such posts would be one.
  static func identified(_ found: FoundPost, _ first: StoredBlob?) -> FoundPost {
    guard found.isNamedByPicture, case .post(var post) = found.item.content else { return found }
    guard let first else {
      var lost = FoundPost(unreadable: found.item.id ?? found.origin, "its file is empty or not there")
      // An id is no path.
      if found.item.id != nil { lost.descriptions = [] }
      return lost
    }
    var found = found
    post.uri += ":\(first.id.hex)"
    found.item.content = .post(post)
    return found
  }
}

/// The stored bytes of files, by their paths.
struct StoredFiles {
  let blobs: [String: StoredBlob]

  /// Stores the files as far as they exist and hold anything.
  init(_ paths: Set<String>, of tree: any ImportTree, in store: any BlobStoring) throws {
    let filling = Filling(store)
    try tree.eachFile(named: paths.sorted()) { try filling.add($0) }
    blobs = try filling.finish()
  }

  /// Several threads fill it at once.
  private final class Filling: Sendable {
    private struct State {
      var drafts: [(path: String, draft: any BlobReceiving)] = []
      var blobs: [String: StoredBlob] = [:]
    }

    /// Drafts that are kept together, so that the disk is waited for seldom. Each holds a file open.
    private static let together = 256

    private let store: any BlobStoring
    private let state = Mutex(State())

    init(_ store: any BlobStoring) { self.store = store }

    func add(_ file: any ImportFile) throws {
      let draft = try store.draft()
      try file.write(to: draft)
      guard try draft.finish().byteCount > 0 else { return draft.discard() }
      let path = file.path
      let full = state.withLock { state in
        state.drafts.append((path, draft))
        guard state.drafts.count >= Self.together else { return [] as [(path: String, draft: any BlobReceiving)] }
        defer { state.drafts = [] }
        return state.drafts
      }
      try keep(full)
    }

    func finish() throws -> [String: StoredBlob] {
      try keep(state.withLock(\.drafts))
      return state.withLock(\.blobs)
    }

    private func keep(_ drafts: [(path: String, draft: any BlobReceiving)]) throws {
      if drafts.isEmpty { return }
      let headers = try drafts.map { try $0.draft.header() }
      let kept = try store.keep(drafts.map(\.draft))
      state.withLock { state in
        for (index, blob) in kept.enumerated() {
          state.blobs[drafts[index].path] = StoredBlob(
            id: blob.id, byteCount: blob.byteCount, header: headers[index])
        }
      }
    }
  }
}

extension ImportItem {
  /// - Parameter root: The key of what it was found in.
  init(_ found: FoundPost, pictures: [Int: StoredBlob], in root: String) {
    self.init(found.item, pictures: pictures, replaces: found.replaces, isFoundByPicture: found.isFoundByPicture)
    leftOut = found.leftOut
    let inner = found.descriptions + found.files.compactMap(\.self)
    // Folders of one name share a feed, and may have files of one name. Earlier versions kept the paths below the folder.
    paths = inner.map { "\(root)/\($0)" } + inner
    if found.item.post == nil, !found.descriptions.isEmpty { item.id = paths[0] }
    let kept = found.marks
    albums = kept.albums
    marks = kept.ownTags.map(Mark.ownTag)
    if kept.isFavourite { marks.append(.favourite(true)) }
    if kept.isSeen { marks.append(.seen(true)) }
    if let rating = kept.rating { marks.append(.rating(rating)) }
    if let note = kept.note { marks.append(.note(note)) }
  }
}
