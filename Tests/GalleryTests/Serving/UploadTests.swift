import Blobs
import Folders
import Foundation
import Machine
import MediaLibrary
import Posts
import Testing

@testable import Gallery

struct UploadTests {
  private let folder: Scratch
  private let blobs: DiskBlobs

  init() throws {
    folder = try Scratch()
    blobs = DiskBlobs(library: folder.path)
  }

  /// The bytes of a form: `files` by their names, then `texts`.
  private func form(_ texts: [String: String] = [:], files: [(name: String, bytes: String)] = []) -> [UInt8] {
    let files = files.map {
      "--b\r\nContent-Disposition: form-data; name=\"files\"; filename=\"\($0.name)\"\r\n\r\n\($0.bytes)\r\n"
    }
    let texts = texts.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.key)\"\r\n\r\n\($0.value)\r\n" }
    return Array(((files + texts).joined() + "--b--\r\n").utf8)
  }

  private func upload(_ bytes: [UInt8]) throws -> Upload {
    let upload = Upload(boundary: "b", into: blobs)
    try upload.consume(bytes)
    return upload
  }

  @Test func `files become drafts of their bytes, whatever their names`() throws {
    let names = ["תמונה.jpg", "\u{202E}gpj.exe"]
    let (_, drafts, given) = try upload(form(files: names.map { ($0, "bytes of \($0)") })).finish()
    let kept = try blobs.keep(drafts)
    #expect(given == names)
    #expect(kept.map(\.byteCount) == names.map { "bytes of \($0)".utf8.count })
    #expect(try kept.map { try blobs.fetch($0.id, 0..<100) } == names.map { Array("bytes of \($0)".utf8) })
  }

  @Test func `a file of no bytes is refused by its name, and no chosen file is none`() throws {
    #expect(throws: UploadError.emptyFile("a.jpg")) { try upload(form(files: [("a.jpg", "")])) }
    #expect(try upload(form(["text": "cat"], files: [("", "")])).finish().drafts.isEmpty)
  }

  @Test func `a form that ends early leaves nothing behind`() throws {
    let bytes = form(files: [("a.jpg", String(repeating: "x", count: 300_000))])
    #expect(throws: UploadError.endedEarly) { try upload(bytes.dropLast(20)).finish() }
    var left = 0
    try blobs.eachResidue { _ in left += 1 }
    #expect(left == 0)
  }

  @Test func `no chosen file before a chosen one takes none of its name`() throws {
    let (_, drafts, names) = try upload(form(files: [("", ""), ("a/../b.jpg", "x")])).finish()
    #expect(drafts.count == 1)
    #expect(names == ["b.jpg"])
  }

  @Test func `too many files and too long a text are refused`() throws {
    let many = (0...UploadError.Limits.files).map { ("\($0).jpg", "x") }
    #expect(throws: UploadError.tooManyFiles) { try upload(form(files: many)) }
    #expect(throws: UploadError.longText) { try upload(form(["text": String(repeating: "x", count: 1_100_000)])) }
    #expect(UploadError.tooManyFiles.status.code == 413)
    #expect(UploadError.notKept(.full(location: "/x")).status.code == 507)
  }

  private func post(_ texts: [String: String], hasFiles: Bool = false) throws -> (
    text: String, start: Date, finish: Date?, tags: [String]
  ) {
    let post = try upload(form(texts)).finish().form.post(now: Date(timeIntervalSince1970: 0), hasFiles: hasFiles)
    return (post.caption, post.createdAt, post.endsAt, post.tags)
  }

  @Test func `a post has the rules of media add`() throws {
    #expect(throws: UploadError.refused(.shortText(2))) { try post(["text": "  ab "]) }
    #expect(throws: UploadError.refused(.shortText(2))) { try post(["text": "ab"], hasFiles: true) }
    #expect(try post([:], hasFiles: true).text.isEmpty)
    #expect(throws: UploadError.refused(.endsBeforeStart)) {
      try post(["text": "cat", "start": "2026-11-21T14:05Z", "finish": "2026-11-21T14:00Z"])
    }
    #expect(try post(["text": "cat"]).start == Date(timeIntervalSince1970: 0))
    #expect(try post(["text": "cat", "tags": "#Cats, birds  dogs"]).tags == ["cats", "birds", "dogs"])
  }

  @Test func `times are those of the clock here, unless they name a zone`() throws {
    let times = try post(["text": "cat", "start": "2026-11-21T14:05+05:30", "finish": "2026-11-21T14:05:30Z"])
    #expect(times.start == Date(timeIntervalSince1970: 1_795_250_100))
    #expect(times.finish == Date(timeIntervalSince1970: 1_795_269_930))
    #expect(
      try post(["text": "cat", "start": "2026-11-21T14:05"]).start == ZoneCalendar().moment(written: "2026-11-21 14:05")
    )
    #expect(throws: UploadError.badTime("tomorrow")) { try post(["text": "cat", "start": "tomorrow"]) }
  }

  @Test func `an edit says what the form says, and tags by what is added and removed`() throws {
    let scratch = try Scratch()
    let library = try Library(in: scratch.path) { servedAt }
    defer { library.close() }
    let entry = Post(source: .manual, uri: "", createdAt: servedAt, caption: "old words", tags: ["cats", "dogs"])
    let id = try library.add(entry, attaching: [])
    let post = try #require(try library.store.post(id)?.post)
    let (form, _, _) = try upload(
      form([
        "post": "\(id)", "basis": "2026-11-21T10:00:00.000Z", "title": "Walk", "text": "  ", "tags": "dogs, birds",
        "start": "2026-11-21T14:00+01:00", "finish": "", "removed": "7",
      ])
    ).finish()
    #expect(try form.number == id)
    let edit = try form.edit(of: post)
    #expect(edit.title == .some("Walk") && edit.caption == "" && edit.finish == .some(nil))
    #expect(edit.start.map(UTC.text) == "2026-11-21T13:00:00.000Z")
    #expect(edit.addedTags == ["birds"] && edit.removedTags == ["cats"] && edit.removed == [7])
    #expect(edit.basis.map(UTC.text) == "2026-11-21T10:00:00.000Z")
    let (lone, _, _) = try upload(self.form(["post": "\(id)", "text": "new words"])).finish()
    #expect(throws: UploadError.notAForm) { try lone.edit(of: post) }
  }
}
