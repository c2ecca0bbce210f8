import Blobs
import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Storage
import Synchronization

/// A post with its files on its way from a browser. Files become drafts of blobs while they come.
final class Upload: Sendable {
  private struct State: Sendable {
    var reader: MultipartReader
    var part: MultipartReader.PartHead?
    var texts: [String: [String]] = [:]
    var text: [UInt8] = []
    var textBytes = 0
    var drafts: [any BlobReceiving] = []
    var names: [String?] = []
    var bytes = 0
    var fileBytes = 0
  }

  private let blobs: any BlobStoring
  private let state: Mutex<State>

  /// - Parameters:
  ///   - boundary: The text between the parts of the form.
  ///   - blobs: Where the files go.
  init(boundary: String, into blobs: any BlobStoring) {
    self.blobs = blobs
    state = Mutex(State(reader: MultipartReader(boundary: boundary, mostParts: UploadError.Limits.files + 100)))
  }

  /// Consumes the next bytes of the form. Blocks while they are written.
  func consume(_ bytes: [UInt8]) throws(UploadError) {
    try locked { state throws(UploadError) in
      state.bytes += bytes.count
      guard state.bytes <= UploadError.Limits.bytes else { throw .tooLarge }
      // The reader is changed while the rest of the state is.
      var reader = state.reader
      defer { state.reader = reader }
      do {
        try reader.consume(bytes) { try note($0, &state) }
      } catch { throw Self.upload(error) }
    }
  }

  /// The whole form: what the person wrote, and the files with their names.
  func finish() throws(UploadError) -> (form: AddForm, drafts: [any BlobReceiving], names: [String?]) {
    try locked { state throws(UploadError) in
      do { try state.reader.finish() } catch { throw Self.upload(error) }
      return (AddForm(state.texts), state.drafts, state.names)
    }
  }

  private func note(_ event: MultipartReader.Event, _ state: inout State) throws {
    switch event {
    case .part(let head):
      (state.part, state.text, state.fileBytes) = (head, [], 0)
      guard head.file != nil else { return }
      guard state.drafts.count < UploadError.Limits.files else { throw UploadError.tooManyFiles }
      state.drafts.append(try blobs.draft())
    case .bytes(let bytes):
      if let file = state.part?.file {
        state.fileBytes += bytes.count
        guard state.fileBytes <= UploadError.Limits.fileBytes else { throw UploadError.largeFile(file) }
        try bytes.withUnsafeBytes { try state.drafts.last?.write($0) }
      } else {
        state.textBytes += bytes.count
        guard state.textBytes <= UploadError.Limits.textBytes else { throw UploadError.longText }
        state.text += bytes
      }
    case .end: try end(&state)
    }
  }

  private func end(_ state: inout State) throws {
    guard let part = state.part else { return }
    if let file = part.file {
      // A form without a chosen file sends one without a name.
      guard !file.isEmpty || state.fileBytes > 0 else { return state.drafts.removeLast().discard() }
      guard state.fileBytes > 0 else { throw UploadError.emptyFile(file) }
      try state.drafts.last?.finish()
      state.names.append(Attachment.name(ofFile: file))
    } else {
      state.texts[part.name, default: []].append(String(decoding: state.text, as: UTF8.self))
    }
    state.part = nil
  }

  private static func upload(_ error: any Error) -> UploadError {
    switch error {
    case let error as UploadError: error
    case let error as BlobError: .notKept(error)
    case MultipartReader.Failure.endedEarly: .endedEarly
    case MultipartReader.Failure.tooManyParts: .tooManyFiles
    default: .notAForm
    }
  }

  private func locked<Value>(_ body: (inout State) throws(UploadError) -> Value) throws(UploadError) -> Value {
    let result: Result<Value, UploadError> = state.withLock { state in
      do throws(UploadError) { return .success(try body(&state)) } catch { return .failure(error) }
    }
    return try result.get()
  }
}

/// What a person wrote into the form.
struct AddForm: Sendable {
  private let texts: [String: [String]]

  init(_ texts: [String: [String]]) { self.texts = texts }

  /// The number of the post that is changed.
  var number: Int64 {
    get throws(UploadError) {
      guard let number = self["post"].flatMap(Int64.init) else { throw .notAForm }
      return number
    }
  }

  /// The change of a post that the form asks for, without further files.
  func edit(of post: StoredPost) throws(UploadError) -> PostEdit {
    var edit = PostEdit()
    // Without it an edit of an older state would go unnoticed.
    guard let basis = try moment("basis") else { throw .notAForm }
    edit.basis = basis
    edit.title = .some(self["title"])
    edit.start = try moment("start")
    edit.finish = .some(try moment("finish"))
    do {
      edit.caption = try self["text"].map(ManualPost.caption) ?? ""
      let tags = try ManualPost.names(ofTags: tags)
      edit.addedTags = tags.filter { !post.tags.contains($0) }
      edit.removedTags = post.tags.filter { !tags.contains($0) }
    } catch { throw .refused(error) }
    edit.removed = (texts["removed"] ?? []).compactMap(Int64.init)
    return edit
  }

  private var tags: [String] {
    (texts["tags"] ?? []).flatMap { $0.split { $0.isWhitespace || $0 == "," } }.map(String.init)
  }

  /// The post.
  func post(now: Date, hasFiles: Bool) throws(UploadError) -> Post {
    let draft = ManualPost(
      text: self["text"] ?? "", title: self["title"], start: try moment("start"), finish: try moment("finish"),
      tags: tags)
    do { return try draft.post(now: now, needsText: !hasFiles) } catch { throw .refused(error) }
  }

  private subscript(name: String) -> String? {
    texts[name]?.last.flatMap { $0.trimmingWhiteSpace.isEmpty ? nil : $0 }
  }

  /// A time of the clock here, `2026-11-21T14:05`, or one with a zone: `2026-11-21T14:05+01:00`.
  private func moment(_ name: String) throws(UploadError) -> Date? {
    guard let text = self[name] else { return nil }
    let zone = text.dropFirst(10).firstIndex { "Zz+-".contains($0) }
    let full = zone.map { text[..<$0].utf8.count == 16 ? "\(text[..<$0]):00\(text[$0...])" : text }
    guard let date = full.map(UTC.date) ?? ZoneCalendar().moment(written: text) else { throw .badTime(text) }
    return date
  }
}
