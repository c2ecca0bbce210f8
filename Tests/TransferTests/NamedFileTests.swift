import Foundation
import Posts
import PropertyTesting
import Storage
import Testing

@testable import PostFiles

/// The names of exported files.
struct NamedFileTests {
  private func post(
    id: Int64 = 7, author: String? = "birds@photos.example", title: String? = nil, caption: String = "A heron",
    tags: [String] = [], attachments: [StoredAttachment]? = nil
  ) -> StoredPost {
    samplePost(
      id, title: title, caption: caption,
      author: author.map {
        StoredAuthor(id: 1, uri: "", handle: $0, name: "Birds", url: nil, avatarURL: nil, avatar: nil)
      },
      at: "2026-11-18T11:06:40Z", tags: tags, attachments: attachments ?? [attachment()])
  }

  private func attachment(type: String? = "image/jpeg", name: String? = nil, url: String? = nil) -> StoredAttachment {
    StoredAttachment(
      id: 1, kind: .image, url: url, previewURL: nil, alt: nil, width: nil, height: nil, blurhash: nil, blob: nil,
      byteCount: nil, mediaType: type, state: .stored, failure: nil, nextTryAt: nil, name: name)
  }

  private func path(_ post: StoredPost, _ template: String = NameTemplate.standard) throws -> String {
    let named = NamedFile(post, 0, by: try NameTemplate(template))
    return (named.folders + [named.name]).map(\.text).joined(separator: "/")
  }

  @Test func `the standard template has source, author, month, number and extension`() throws {
    #expect(try path(post()) == "mastodon/birds@photos.example/2026-11/7_1.jpg")
  }

  @Test func `a value that is missing has a text of its own, or the template's`() throws {
    #expect(try path(post(), "{title}/{title|none}/{id}.{ext}") == "no title/none/7.jpg")
    #expect(try path(post(author: nil)) == "mastodon/no author/2026-11/7_1.jpg")
  }

  @Test func `a date has a format, and is the same in every zone`() throws {
    #expect(try path(post(), "{date}/{date:%Y%m%d-%H%M%S %y%%}.{ext}") == "2026-11-18/20261118-110640 26%.jpg")
  }

  @Test func `an extension is that of the bytes, else that of the name or of the address`() throws {
    func ending(_ attachment: StoredAttachment) throws -> String {
      try path(post(attachments: [attachment]), "{id}.{ext}")
    }
    #expect(try ending(attachment(type: "video/quicktime", name: "x.jpg")) == "7.mov")
    #expect(try ending(attachment(type: nil, name: "notes.TXT")) == "7.txt")
    #expect(try ending(attachment(type: nil, url: "https://a.example/b.pdf?x=1")) == "7.pdf")
    #expect(try ending(attachment(type: nil)) == "7.bin")
  }

  @Test func `a value cannot lead out of its folder, hide, or be a device of Windows`() throws {
    func name(_ title: String) throws -> String { try path(post(title: title), "{title}/x.{ext}") }
    #expect(try name("../../etc") == "_._.._etc/x.jpg")
    #expect(try name("..") == "_/x.jpg")
    #expect(try name(".hidden") == "_hidden/x.jpg")
    #expect(try name("-rf") == "_rf/x.jpg" && name(" -rf") == "_rf/x.jpg")
    #expect(try path(post(title: "--help"), "{title}.{ext}") == "_-help.jpg")
    #expect(try name("a/b\\c:d*e?f\"g<h>i|j") == "a_b_c_d_e_f_g_h_i_j/x.jpg")
    #expect(try name("NUL") == "_NUL/x.jpg")
    #expect(try name("com1.txt") == "_com1.txt/x.jpg")
    #expect(try name("end. . ") == "end/x.jpg")
    #expect(try name("a\u{202E}b\u{0}c\nd") == "a_b_c_d/x.jpg")
  }

  @Test func `a template that leads out, has no name, or names what is unknown is refused in one sentence`() {
    for (template, error) in [
      ("/tmp/{id}", NameTemplateError.absolute), ("../{id}", .absolute), ("a/./{id}", .absolute), ("{id}/", .noName),
      ("", .noName), ("{id", .unclosed), ("id}", .unopened), ("{color}", .unknown("color")), ("{id:%Y}", .format("id")),
      ("{date:%Q}", .time("%Q")),
    ] {
      #expect(throws: error) { try NameTemplate(template) }
    }
    #expect(throws: Never.self) { try NameTemplate("{{{id}}}.{ext}") }
    #expect((try? path(post(), "{id}_{num}.{extension}")) == "7_1.jpg", "gallery-dl has other names for two fields")
    #expect((try? path(post(), "{{{id}}}.{ext}")) == "{7}.jpg")
  }

  @Test(arguments: PropertyTest.seeds(sample: 20, whole: 2000))
  func `names of any text are valid everywhere, keep their extension, and are the same each time`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    for _ in 0..<50 {
      let any = post(
        id: Int64(dice.below(1000)), author: text(&dice), title: text(&dice), caption: text(&dice), tags: [text(&dice)],
        attachments: [attachment(name: text(&dice))])
      let template = try NameTemplate("{author}{tag}/{title|x}/{caption}{filename}{name}_{n}.{ext}")
      let named = NamedFile(any, 0, by: template)
      for name in named.folders + [named.name] { try expectValid(name.text, seed) }
      #expect(named.name.text.hasSuffix(".jpg"), "seed \(seed): \(named.name.text)")
      let marked = named.name.marked("~99")
      try expectValid(marked.text, seed)
      #expect(marked.text.hasSuffix("~99.jpg"))
      try expectValid(marked.text + ".urls.txt", seed)
      #expect(NamedFile(any, 0, by: template).name == named.name)
    }
  }

  private func expectValid(_ name: String, _ seed: UInt64) throws {
    #expect((1...255).contains(name.utf8.count), "seed \(seed): \(name)")
    #expect(!name.hasPrefix(".") && !name.hasSuffix(".") && !name.hasSuffix(" "), "seed \(seed): \(name)")
    for scalar in name.unicodeScalars {
      #expect(
        scalar.value >= 0x20 && !"/\\<>:\"|?*\u{202E}\u{7F}".unicodeScalars.contains(scalar), "seed \(seed): \(name)")
    }
    let device = name.prefix { $0 != "." }.lowercased()
    #expect(!["con", "nul", "aux", "prn", "com1", "lpt9"].contains(device), "seed \(seed): \(name)")
  }

  private func text(_ dice: inout Dice) -> String {
    let parts = [
      "a", "Ä", "/", "..", ".", " ", "con", "NUL", "com1", ":", "\\", "?", "\u{0}", "\n", "\u{202E}", "🦜", "e\u{301}",
      "👩‍👩‍👧‍👦", "\u{FFFF}", "日本語", "x", "|", "\u{7F}", "~", "%",
    ]
    let length = dice.below(4) == 0 ? 300 : dice.below(12)
    return (0..<length).map { _ in parts[dice.below(parts.count)] }.joined()
  }
}
