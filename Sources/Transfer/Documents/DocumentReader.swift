import Posts
import Services

extension ImportFormat {
  /// The form of a source's archive.
  init(_ form: ArchiveForm) {
    self.init(
      form.name, form.summary, isMark: { form.layout($0, $1) != nil }, reader: { try DocumentReader(form, $0) })
  }
}

/// Reads posts that stand in documents, with their files beside them or in folders above.
final class DocumentReader: ImportReader {
  /// A document that holds posts.
  private struct Document {
    let layout: ArchiveForm.Layout
    /// Which of several arrays of one name holds them.
    var array = 0
    /// The elements that it says to hold.
    var declared: Int?
  }

  private let form: ArchiveForm
  private let tree: any ImportTree
  private var documents: [String: Document] = [:]
  private var files = ArchiveFiles()
  /// What documents about the archive say. A folder may hold several archives.
  private var abouts: [(folder: [Substring], said: ArchiveForm.About)] = []
  private var texts = LongTexts()
  private(set) var total: Int?
  private var left: [String: Int] = [:]
  private var counts = ImportBalance()
  /// Documents about the archive that are too long to be read.
  private var longDocuments = 0

  private static let headSize = 4096
  private static let pieceSize = 256 << 10
  private static let longestAbout = 32 << 20

  /// Looks which documents hold posts.
  ///
  /// - Throws: `ImportError` if none does, or if one is damaged.
  init(_ form: ArchiveForm, _ tree: any ImportTree) throws {
    (self.form, self.tree) = (form, tree)
    var faults: [(path: String, fault: JSONElements.Fault)] = []
    try tree.eachFile { file in
      files.insert(file.path)
      let start = try file.read(upTo: Self.headSize)
      if form.isAbout(file.path) {
        if let rest = try file.readAll(most: Self.longestAbout) {
          let said = form.about(WideText.utf8(start + rest))
          texts.add(said.texts)
          abouts.append((Self.folder(of: file.path), said))
        } else {
          longDocuments += 1
        }
      }
      guard let layout = form.layout(file.path, WideText.utf8(start)) else { return true }
      do { documents[file.path] = try Self.document(layout, start, file) } catch let fault as JSONElements.Fault {
        faults.append((file.path, fault))
      }
      return true
    }
    // A collection without a list may lie beside one with it.
    if let (path, fault) = faults.first(where: { $0.fault != .absent || documents.isEmpty }) {
      throw error(fault, path)
    }
    guard !documents.isEmpty else {
      throw ImportError.unfit(path: tree.name, format: form.name, reason: "no file of it holds posts")
    }
  }

  /// Finds which array of a document holds its posts.
  private static func document(
    _ layout: ArchiveForm.Layout, _ start: [UInt8], _ file: any ImportFile
  ) throws -> Document {
    guard case .array(let member, let total, let hasPages) = layout else { return Document(layout: layout) }
    var elements = JSONElements(member: member, total: total, hasPages: hasPages, longest: 0)
    var text = WideText(file, after: start, pieces: pieceSize)
    while case let piece = try text.next(), !piece.isEmpty { try elements.read(piece) { _ in } }
    try elements.finish()
    return Document(layout: layout, array: elements.arrays - 1, declared: elements.declared)
  }

  var leftOut: [(what: String, count: Int)] {
    let long = longDocuments > 0 ? [("descriptions of the archive that are too long", longDocuments)] : []
    return left.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + long + tree.leftOut
  }

  /// Several pages of one collection say the same total. They lie in one folder.
  var balance: ImportBalance? {
    var balance = counts
    let totals = abouts.compactMap { $0.said.total }
    let folders = Dictionary(grouping: documents) { Self.folder(of: $0.key) }
    let declared = totals.isEmpty ? folders.values.compactMap { $0.compactMap(\.value.declared).max() } : totals
    balance.declared = declared.isEmpty ? nil : declared.reduce(0, +)
    balance.unused = files.unused
    return balance
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    (left, counts) = ([:], ImportBalance())
    texts.begin()
    var count = 0
    try tree.eachFile { file in
      guard let document = documents[file.path] else { return true }
      let about = about(file.path)
      let origin = ArchiveForm.Origin(document: file.path, owner: about.owner)
      try read(file, document) { element in
        counts.found += 1
        for item in element.map({ form.read($0, origin) }) ?? Self.tooLong(file.path) {
          switch item {
          case .leftOut(let what): left[what, default: 0] += 1
          case .post(let post, let files):
            count += 1
            try found(placed(post, files, from: file.path, seenBy: about.visibility))
          }
        }
      }
      return true
    }
    if texts.left > 0 { left["long texts whose posts are not among the others"] = texts.left }
    total = count
  }

  /// What is said of the archive of a document. Its owner stands in the documents that share the most folders with it,
  /// unless they name several.
  private func about(_ document: String) -> ArchiveForm.About {
    let folder = Self.folder(of: document)
    let shared = abouts.map { zip($0.folder, folder).prefix { $0 == $1 }.count }
    let nearest = shared.max()
    let owners = zip(abouts, shared).filter { $1 == nearest }.compactMap(\.0.said.owner)
    let owner = Set(owners.map(\.uri)).count == 1 ? owners.last : nil
    return ArchiveForm.About(owner: owner, visibility: visibility(of: owner))
  }

  /// The narrowest that any archive says which may be this owner's. An older one may be from before the account was
  /// protected.
  private func visibility(of owner: Author?) -> Visibility? {
    let widest: [Visibility] = [.public, .unlisted, .local, .followers, .direct]
    let said = Dictionary(grouping: abouts, by: \.folder).values.filter { archive in
      let owners = archive.compactMap(\.said.owner?.uri)
      return owner == nil || owners.isEmpty || owners.contains { $0 == owner?.uri }
    }
    let visibilities = Set(said.joined().compactMap(\.said.visibility))
    return widest.last(where: visibilities.contains)
  }

  private static func folder(of path: String) -> [Substring] { path.split(separator: "/").dropLast() }

  /// The post with its files as they lie in the archive.
  private func placed(
    _ post: FoundPost, _ wanted: [ArchiveForm.File?], from document: String, seenBy visibility: Visibility?
  ) -> FoundPost {
    var post = post
    post.origin = document
    if case .post(var own) = post.item.content {
      own.visibility = own.visibility ?? visibility
      texts.complete(&own)
      post.item.content = .post(own)
    }
    guard let attachments = post.item.post?.attachments else { return post }
    post.files = files.find(wanted, of: attachments.map(\.kind), from: document)
    post.files += Array(repeating: nil, count: max(0, attachments.count - wanted.count))
    for (index, file) in wanted.enumerated() where post.files[index] == nil {
      if let name = file?.paths.first { post.absent[index] = name }
    }
    counts.named += wanted.count { $0 != nil }
    counts.absent += post.absent.sorted { $0.key < $1.key }.map(\.value)
    return post
  }

  /// Calls `found` with each element of a document; nil stands for one that is too long.
  private func read(_ file: any ImportFile, _ document: Document, _ found: ([UInt8]?) throws -> Void) throws {
    var text = WideText(file, pieces: Self.pieceSize)
    switch document.layout {
    case .array(let member, _, let hasPages):
      var elements = JSONElements(
        member: member, wanted: document.array, hasPages: hasPages, longest: ArchiveForm.longestElement)
      do {
        while case let piece = try text.next(), !piece.isEmpty {
          try elements.read(piece) { if case .element(let bytes) = $0 { try found(bytes) } else { try found(nil) } }
        }
        try elements.finish()
      } catch let fault as JSONElements.Fault { throw error(fault, file.path) }
    case .lines:
      var lines = TextLines(longest: ArchiveForm.longestElement)
      let isWhole: (TextLines.Found) throws -> Void = {
        if case .line(let bytes) = $0 { try found(bytes) } else { try found(nil) }
      }
      while case let piece = try text.next(), !piece.isEmpty { try lines.read(piece, isWhole) }
      try lines.finish(isWhole)
    }
  }

  private func error(_ fault: JSONElements.Fault, _ path: String) -> ImportError {
    let path = files.count == 1 ? tree.name : "\(path) of \(tree.name)"
    switch fault {
    case .truncated: return .cutShort(path: path)
    case .absent: return .unfit(path: path, format: form.name, reason: "it holds no list of posts")
    case .malformed(let offset): return .unfit(path: path, format: form.name, reason: "it is no JSON at byte \(offset)")
    }
  }

  private static func tooLong(_ path: String) -> [ArchiveForm.Element] {
    let reason = "it is longer than \(ArchiveForm.longestElement) bytes"
    return [.post(FoundPost(PageItem(id: nil, content: .unreadable(reason: reason), raw: Array(path.utf8))))]
  }
}
