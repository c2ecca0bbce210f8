import Foundation
import HTTP
import Posts
import PropertyTesting
import Services
import Testing

/// What a server repeats of the token that it was asked with.
struct TokenEchoTests {
  private static let token = "aT0ken/of+sixteen=and.more"
  private let server = Server("birds.example")!

  private func page(_ body: String, token: String = token, link: String = "") async throws -> Page {
    let source = MastodonSource(
      server: server, token: Secret(token),
      transport: Answering(200, Array(body.utf8), headers: ["Link": link]).transport,
      time: .fixed(at: "2026-11-21T10:00:00Z"))
    let feed = Feed(source: .mastodon, kind: .tag, value: "cats", server: server)
    return try await source.page(of: feed, after: nil, size: nil)
  }

  /// A post that holds a text in each of its fields, as it stands in the JSON.
  private func status(_ said: String) -> String {
    """
    [{"id":"1","uri":"https://a.example/1","url":"https://a.example/p?\(said)","created_at":"2026-11-20T09:00:00Z",
    "content":"<p>so \(said) it <a href=\\"https://a.example/?t=\(said)\\">is</a></p>","spoiler_text":"see \(said)",
    "tags":[{"name":"\(said)"},{"name":"cats"}],"language":"en",
    "account":{"id":"7","acct":"ann","display_name":"Ann \(said)","url":"https://a.example/@ann?\(said)",
    "avatar":"https://files.example/a.png?\(said)"},
    "media_attachments":[{"id":"9","type":"image","url":"https://files.example/9.jpg?token=\(said)",
    "remote_url":"https://b.example/\(said)/9.jpg","preview_url":"https://files.example/s.jpg?\(said)",
    "description":"of \(said)"}]}]
    """
  }

  /// Everything of a page that would be stored or requested.
  private func kept(_ page: Page) -> String {
    var text = ""
    for item in page.items {
      dump(item.content, to: &text)
      dump(item.repetition, to: &text)
      dump(item.quoted, to: &text)
      text += String(decoding: item.quoted?.slice ?? [], as: UTF8.self)
      text += "\(item.id ?? "") \(String(decoding: item.raw, as: UTF8.self))\n"
    }
    return text + "\(page.next)"
  }

  @Test(arguments: [
    token, #"aT0ken\/of+sixteen=and.more"#, #"a\u0054\u0030ken\/of+sixteen=and.more"#,
    "aT0ken&#47;of&#43;sixteen=and.more", "&#x61;T0ken&#x2f;of&#x0002B;sixteen=and.more",
    "aT0ken%2Fof%2Bsixteen%3Dand.more", "%61T0ken%2fof+sixteen=and.more",
    #"aT0ken\u0026#47;of+sixteen=and.more"#, #"aT0ken\u00252Fof+sixteen=and.more"#,
    "aT0ken&#37;2Fof+sixteen=and.more", #"aT0ken\u0026#x\u0032f;of+sixteen=and.more"#,
    "aT0ken&sol;of&plus;sixteen&equals;and&period;more", "aT0ken&#47of&#43sixteen&#61and.more",
    "aT0ken&#x2Fof&#0000000000000043;sixteen=and.more", "aT0ken%252Fof%252Bsixteen%253Dand.more",
    "aT0ken%2525252fof%25252Bsixteen=and.more", "aT0ken&percnt;252Fof+sixteen=and.more",
  ])
  func `is in nothing that is kept or asked for, in whatever escapes`(said: String) async throws {
    let page = try await page(status(said))
    let post = try #require(page.items.first?.post)
    // What is taken out leaves the spaces around it.
    #expect(post.caption.split(separator: " ") == ["so", "it", "is"])
    #expect(post.warning == "see <secret>")
    #expect(post.author?.name == "Ann <secret>")
    #expect(post.attachments.first?.alt == "of <secret>")
    #expect(post.tags.contains("cats"))
    let kept = kept(page).replacingOccurrences(of: "\\/", with: "/")
    for form in [Self.token, said, "T0ken", "sixteen", "of%2B"] { #expect(!kept.contains(form), "\(form)") }
    #expect(try JSONSerialization.jsonObject(with: Data(page.items[0].raw)) is [String: Any])
  }

  @Test(arguments: [
    "aT0ken/of<b></b>+sixteen=and.more", "aT0ken/of<!-- -->+sixteen=and.more", #"aT0ken/of\u0001+sixteen=and.more"#,
    "<i>a</i>T0ken/of+sixteen=and.more",
  ])
  func `is in no text, though the markup in it goes`(said: String) async throws {
    let body = #"[{"id":"1","uri":"https://a.example/1","created_at":"2026-11-20T09:00:00Z","content":"so \#(said)"}]"#
    #expect(try await page(body).items.first?.post?.caption == "so <secret>")
  }

  @Test(arguments: [token, #"aT0ken/of\u0001+sixteen=and.more"#, "aT0ken/of<b></b>+sixteen=and.more"])
  func `is in nothing of a quoted post`(said: String) async throws {
    let quoted = status(said).dropFirst().dropLast()
    let body = """
      [{"id":"2","uri":"https://a.example/2","created_at":"2026-11-20T09:00:00Z","content":"see",
      "quote":{"state":"accepted","quoted_status":\(quoted)}}]
      """
    let page = try await page(body)
    let quotation = try #require(page.items.first?.quoted)
    let text = quotation.post?.caption.split(separator: " ").filter { $0 != "<secret>" }
    #expect(text == ["so", "it", "is"] && quotation.post?.attachments.count == 1)
    // Markup and control characters in it stay in what is kept verbatim.
    var kept = ""
    var bare = quotation
    bare.slice = []
    bare.post?.captionHTML = nil
    dump(bare, to: &kept)
    #expect(!kept.contains(Self.token), "\(kept)")
    #expect(said != Self.token || !self.kept(page).contains("T0ken"))
  }

  @Test func `a quotation whose identity holds the token is dropped`() async throws {
    let address = #"https:\/\/a.example\/?t=aT0ken%2Fof+sixteen\u0000=and.more"#
    let body = """
      [{"id":"2","uri":"https://a.example/2","created_at":"2026-11-20T09:00:00Z","content":"see",
      "quote":{"id":"3","uri":"\(address)","url":"https://a.example/3","created_at":"2026-11-20T08:00:00Z"}}]
      """
    let item = try #require(try await page(body).items.first)
    #expect(item.post != nil)
    #expect(item.quoted?.uri.contains("sixteen") != true && item.quoted?.post?.uri.contains("sixteen") != true)
  }

  @Test(arguments: ["aT0ken%2Fof%2Bsixteen%3Dand.more", "aT0ken%2fof%2bsixteen=and%2Emore"])
  func `leads nowhere as a cursor`(said: String) async throws {
    let link = "<https://birds.example/x?max_id=\(said)>; rel=\"next\""
    #expect(try await page("[]", link: link).next == .refused(reason: "its next page cannot be named"))
  }

  @Test(arguments: ["cat", "abc", "fifteen-letters"])
  func `is not looked for where it is so short that it stands in texts by chance`(token: String) async throws {
    let page = try await page(status("https://a.example/\(token)"), token: token)
    let post = try #require(page.items.first?.post)
    #expect(post.caption.contains("/\(token)") && post.attachments[0].url?.contains(token) == true)
    #expect(!kept(page).contains("secret"))
    let link = "<https://birds.example/x?max_id=\(token)>; rel=\"next\""
    #expect(try await self.page("[]", token: token, link: link).next == .after(Cursor(token)))
  }

  @Test(arguments: ["%&#;%25&amp;%41-and-more", "&lt;%3C\\\"/a-long-one"])
  func `is found whatever it is made of, where it is escaped as a whole`(secret: String) throws {
    let search = try #require(SecretSearch(Secret(secret)))
    let json = try JSONSerialization.data(withJSONObject: [secret, "x"])
    #expect(String(decoding: search.hidden(inJSON: Array(json)), as: UTF8.self) == #"["<secret>","x"]"#)
    for text in [secret, Request.percentEncoded(secret), secret.unicodeScalars.map { "&#\($0.value);" }.joined()] {
      #expect(search.hidden(in: "a \(text) b") == "a <secret> b", "\(text)")
    }
  }

  @Test func `a text that shares its beginning or a part with a token stays`() async throws {
    for said in ["aT0ken/of+sixteen=and.mor", "T0ken/of+sixteen=and.more", "aaT0ken/of+sixteen=&#97;nd.mor"] {
      let post = try #require(try await page(status(said)).items.first?.post)
      #expect(!post.caption.contains("<secret>"), "\(said)")
    }
  }

  /// A character of it, written in one of the ways that are read.
  private func written(_ character: Unicode.Scalar, _ dice: inout Dice) -> String {
    let (code, hex) = (character.value, String(character.value, radix: 16))
    let isUpper = dice.below(2) == 0
    func json(_ text: String) -> String {
      text.unicodeScalars.map { scalar in
        let digits = String(scalar.value, radix: 16, uppercase: isUpper)
        return dice.below(6) == 0 ? "\\u" + String(repeating: "0", count: 4 - digits.count) + digits : String(scalar)
      }.joined()
    }
    switch dice.below(6) {
    case 0: return json("&#\(code);")
    case 1: return json("&#x\(isUpper ? hex.uppercased() : hex);")
    case 2: return json("%\(isUpper ? hex.uppercased() : hex)")
    case 3: return json("&#37;\(hex)")
    default: return json(String(character))
    }
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 20_000))
  func `is found in any mixture of escapes, and what stands around it stays`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    let alphabet = Array("abAB01-_./+=".unicodeScalars)
    let token = (0..<(16 + dice.below(40))).map { _ in alphabet[dice.below(alphabet.count)] }
    let secret = String(String.UnicodeScalarView(token))
    let echo = token.map { written($0, &dice) }.joined()
    let around = ["", "x", "a&", "aab", "&amp;", "\\n", "%", "\u{301}é", "%zz", "&#;", "\\\\"]
    let (before, after) = (around[dice.below(around.count)], around[dice.below(around.count)])
    let search = try #require(SecretSearch(Secret(secret)))
    let body = Array("[\"\(before) \(echo) \(after)\"]".utf8)
    #expect(
      String(decoding: search.hidden(inJSON: body), as: UTF8.self) == "[\"\(before) <secret> \(after)\"]", "\(secret)")
  }

  @Test(.timeLimit(.minutes(1))) func `a token that nearly fits everywhere costs no more than the text is long`() throws
  {
    let secret = String(repeating: "a", count: 4095) + "b"
    let search = try #require(SecretSearch(Secret(secret)))
    let body = Array(repeating: UInt8(ascii: "a"), count: 8 << 20)
    #expect(search.hidden(inJSON: body) == body)
    #expect(!search.isPart(of: String(decoding: body, as: UTF8.self)))
  }
}
