import Foundation
import MediaLibrary
import Testing
import Wording

@testable import Gallery

struct DownloadNameTests {
  private let jpeg = ServedType(mediaType: "image/jpeg")
  private let unknown = ServedType(mediaType: nil)

  @Test(arguments: [
    ("birds.png", "birds.jpg"), ("birds", "birds.jpg"), ("../../etc/passwd", "_.._etc_passwd.jpg"), ("a\\b", "a_b.jpg"),
    (".hidden", "hidden.jpg"), ("...", "file.jpg"), ("", "file.jpg"), ("a\u{0}b\u{202E}gpj.exe", "a_b_gpj.jpg"),
    ("CON:|?*", "CON____.jpg"), (" a ", "a.jpg"), ("vögel", "vögel.jpg"), ("a.long extension", "a.long extension.jpg"),
  ])
  func `a name stays one name, with the extension of its type`(text: String, name: String) {
    #expect(DownloadName(text, jpeg).text == name)
  }

  @Test func `a file of unknown type keeps a plain extension`() {
    #expect(DownloadName("paper.pdf", unknown).text == "paper.pdf")
    #expect(DownloadName("paper", unknown).text == "paper")
    #expect(DownloadName("a.b c", unknown).text == "a.b c")
  }

  @Test func `a long name is cut between characters`() {
    let name = DownloadName(String(repeating: "ü", count: 500), jpeg).text
    #expect(name == String(repeating: "ü", count: 60) + ".jpg")
  }

  @Test func `old browsers get ASCII, others the name`() {
    #expect(DownloadName("a b", jpeg).disposition == "attachment; filename=\"a b.jpg\"")
    #expect(
      DownloadName("vögel 100% @x", jpeg).disposition
        == "attachment; filename=\"v_gel 100_ @x.jpg\"; filename*=UTF-8''v%C3%B6gel%20100%25%20%40x.jpg")
  }

  @Test func `an attachment is named by day, author, post and number`() async throws {
    try await withServedLibrary { library, client in
      let id = try library.add(
        caption: "two", at: Date(timeIntervalSince1970: 1_795_262_700), attaching: [Sample.png, Sample.pdf])
      let post = try #require(try library.store.post(id)).post
      let day = MomentText().day(post.createdAt)
      let names = post.attachments.enumerated().map { DownloadName(of: $1, number: $0 + 1, in: post).text }
      #expect(names == ["\(day) \(id)-1.png", "\(day) \(id)-2"])
      let page = try await client.get("/post/\(id)").text
      #expect(page.contains("?name=\(day)%20\(id)-1.png"))
    }
  }
}
