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
  private let form: ArchiveForm
  private let tree: any ImportTree
  private var layouts: [String: ArchiveForm.Layout] = [:]
  private var paths: Set<String> = []
  private var owner: Author?
  private(set) var total: Int?
  private var left: [String: Int] = [:]

  private static let headSize = 4096
  private static let pieceSize = 256 << 10
  private static let longestAboutOwner = 4 << 20

  /// Looks which documents hold posts.
  ///
  /// - Throws: `ImportError.unfit` if none does.
  init(_ form: ArchiveForm, _ tree: any ImportTree) throws {
    (self.form, self.tree) = (form, tree)
    try tree.eachFile { file in
      paths.insert(file.path)
      let isAbout = form.isAboutOwner(file.path)
      let head = try file.read(upTo: Self.headSize)
      if isAbout, let rest = try file.readAll(most: Self.longestAboutOwner) { owner = form.owner(head + rest) }
      if let layout = form.layout(file.path, head) { layouts[file.path] = layout }
      return true
    }
    guard !layouts.isEmpty else {
      throw ImportError.unfit(path: tree.name, format: form.name, reason: "no file of it holds posts")
    }
  }

  var leftOut: [(what: String, count: Int)] {
    left.sorted { $0.key < $1.key }.map { ($0.key, $0.value) } + tree.leftOut
  }

  func eachPost(_ found: (FoundPost) throws -> Void) throws {
    left = [:]
    var count = 0
    try tree.eachFile { file in
      guard let layout = layouts[file.path] else { return true }
      let origin = ArchiveForm.Origin(document: file.path, owner: owner)
      try read(file, layout) { element in
        for item in element.map({ form.read($0, origin) }) ?? Self.tooLong(file.path) {
          switch item {
          case .leftOut(let what): left[what, default: 0] += 1
          case .post(var post):
            count += 1
            post.files = post.files.map { $0.flatMap { resolved($0, from: file.path) } }
            try found(post)
          }
        }
      }
      return true
    }
    total = count
  }

  /// Calls `found` with each element of a document; nil stands for one that is too long.
  private func read(
    _ file: any ImportFile, _ layout: ArchiveForm.Layout, _ found: ([UInt8]?) throws -> Void
  ) throws {
    switch layout {
    case .array(let member):
      var elements = JSONElements(member: member, longest: ArchiveForm.longestElement)
      do {
        while case let piece = try file.read(upTo: Self.pieceSize), !piece.isEmpty {
          try elements.read(piece) { if case .element(let bytes) = $0 { try found(bytes) } else { try found(nil) } }
        }
        try elements.finish()
      } catch let fault as JSONElements.Fault { throw error(fault, file.path) }
    case .lines:
      var lines = TextLines(longest: ArchiveForm.longestElement)
      let isWhole: (TextLines.Found) throws -> Void = {
        if case .line(let bytes) = $0 { try found(bytes) } else { try found(nil) }
      }
      while case let piece = try file.read(upTo: Self.pieceSize), !piece.isEmpty { try lines.read(piece, isWhole) }
      try lines.finish(isWhole)
    }
  }

  private func error(_ fault: JSONElements.Fault, _ path: String) -> ImportError {
    let path = paths.count == 1 ? tree.name : "\(path) of \(tree.name)"
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

  /// The file of that relative path beside the document, or in a folder above it.
  private func resolved(_ path: String, from document: String) -> String? {
    var folder = document.split(separator: "/").dropLast()
    while true {
      let whole = (folder + [path[...]]).joined(separator: "/")
      if paths.contains(whole) { return whole }
      if folder.isEmpty { return nil }
      folder.removeLast()
    }
  }
}
