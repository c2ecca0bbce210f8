import HTTP
import Posts
import Services
import Testing

struct FeedCharsetTests {
  private func titles(_ title: [UInt8], declared: String?, type: String?, mark: [UInt8] = []) async throws -> [String?]
  {
    let declaration = declared.map { "<?xml version=\"1.0\" encoding=\"\($0)\"?>" } ?? ""
    let body =
      mark + Array("\(declaration)<rss><channel><item><title>".utf8) + title
      + Array("</title></item></channel></rss>".utf8)
    let headers: Headers = type.map { ["Content-Type": $0] } ?? [:]
    return try await FeedDesk.page(Response(status: 200, headers: headers, body: body)).items.map { $0.post?.title }
  }

  private let utf8 = Array("é".utf8)
  private let latin: [UInt8] = [0xE9]

  @Test func `the answer's charset goes before the declaration, the declaration before the rule`() async throws {
    #expect(try await titles(latin, declared: "utf-8", type: "text/xml; charset=ISO-8859-1") == ["é"])
    #expect(try await titles(latin, declared: "iso-8859-1", type: "text/xml") == ["é"])
    #expect(try await titles(utf8, declared: nil, type: nil) == ["é"])
  }

  @Test(arguments: [
    "iso-8859-1", "us-ascii", "windows-1251", "windows-1252", "iso-8859-15", "utf-16", "UTF-16LE", "koi8-r",
  ])
  func `what is UTF-8 is read as UTF-8, whatever is said of it`(label: String) async throws {
    for title in ["Löwe", "Žluťoučký kůň", "日本", "🦊"] {
      let bytes = Array(title.utf8)
      #expect(try await titles(bytes, declared: label, type: nil) == [title])
      #expect(try await titles(bytes, declared: nil, type: "text/xml; charset=\(label)") == [title])
    }
    #expect(try await titles(Array("plain".utf8), declared: label, type: nil) == ["plain"])
  }

  @Test func `a byte order mark goes before all`() async throws {
    let type = "text/xml; charset=iso-8859-1"
    #expect(try await titles(utf8, declared: "koi8-r", type: type, mark: [0xEF, 0xBB, 0xBF]) == ["é"])
  }

  @Test func `wrongly declared UTF-8 is read by another declaration, or else mended`() async throws {
    #expect(try await titles(latin, declared: "iso-8859-1", type: "text/xml; charset=utf-8") == ["é"])
    #expect(try await titles([0x61] + latin, declared: "utf-8", type: nil) == ["a\u{FFFD}"])
  }

  @Test func `without a declaration, text that is not UTF-8 is Windows-1252, unless most of it is UTF-8`() async throws
  {
    #expect(try await titles([0x63, 0x61, 0x66] + latin, declared: nil, type: "text/xml") == ["café"])
    #expect(try await titles([0x93] + latin + [0x94], declared: nil, type: nil) == ["“é”"])
    #expect(try await titles(utf8 + utf8 + latin, declared: nil, type: nil) == ["éé\u{FFFD}"])
  }

  @Test(arguments: ["gb2312", "GBK", "gb_2312-80"])
  func `a document labelled GB2312 may hold the characters of GBK`(name: String) async throws {
    // 朱镕基, of which the second is in no GB2312.
    #expect(try await titles([0xD6, 0xEC, 0xE9, 0x46, 0xBB, 0xF9], declared: name, type: nil) == ["朱镕基"])
  }

  @Test(
    arguments: [
      // 똠 and ①髙～ stand only in the sets that Windows made of EUC-KR and Shift_JIS.
      (["ks_c_5601-1987", "euc-kr", "windows-949"], [0x8C, 0x63, 0xB9, 0xE6], "똠방"),
      (["Shift_JIS", "x-sjis", "windows-31j"], [0x87, 0x40, 0xFB, 0xFC, 0x81, 0x60], "①髙～"),
      (["euc-jp", "x-euc-jp"], [0xC6, 0xFC, 0xA1, 0xC1], "日～"),
      (["big5", "x-x-big5"], [0xAD, 0xBB, 0xB4, 0xE4, 0xA1, 0xFE], "香港／"),
      (["x-cp1251", "win-1251", "windows1251", "cp-1251"], [0xCF, 0xF0, 0xE8], "При"),
      (["iso-8859-9"], [0xF0, 0x93, 0xFE, 0x94], "ğ“ş”"),
      (["iso-8859-8-i"], [0xF9, 0xEC], "של"), (["tis-620"], [0xB7, 0x85, 0xE4], "ท…ไ"),
      (["ansi", "klingon"], [0x63, 0xE9, 0x93], "cé“"),
    ] as [([String], [UInt8], String)])
  func `labels mean the sets that browsers read`(labels: [String], bytes: [UInt8], title: String) async throws {
    for label in labels {
      #expect(try await titles(bytes, declared: label, type: nil) == [title], "\(label)")
      #expect(try await titles(bytes, declared: nil, type: "text/xml; charset=\(label)") == [title], "\(label)")
    }
  }

  @Test func `Latin-1 means Windows's set`() async throws {
    #expect(try await titles([0x80, 0x93, 0x94], declared: "ISO-8859-1", type: nil) == ["€“”"])
    #expect(try await titles([0xC4, 0xC5], declared: "KOI8-R", type: nil) == ["де"])
  }

  @Test func `sets nobody knows, and commands in their names, are passed over`() async throws {
    for name in ["klingon", "utf-8//IGNORE", "../../x", String(repeating: "x", count: 200)] {
      #expect(try await titles(utf8, declared: name, type: "text/xml; charset=\(name)") == ["é"], "\(name)")
    }
  }

  @Test func `a set in which most bytes mean nothing is given up`() async throws {
    let few = [UInt8](repeating: 0xFF, count: 10_000)
    #expect(try await titles(few + [0xE1], declared: "EUC-JP", type: nil)[0]?.contains("?") == false)
    let many = Array(String(repeating: "é", count: 20_000).utf8)
    let text = String(repeating: "é", count: 20_000)
    #expect(try await titles(many, declared: nil, type: "text/xml; charset=us-ascii//x") == [text])
    #expect(try await titles(many, declared: nil, type: "text/xml; charset=ANSI_X3.110-1983x") == [text])
    #expect(try await titles(many, declared: nil, type: "text/xml; charset=ISO_646.IRV:1991") == [text])
  }

  @Test(arguments: [([0xFF, 0xFE] as [UInt8], false), ([0xFE, 0xFF], true)])
  func `UTF-16 is read by its mark`(mark: [UInt8], isBig: Bool) async throws {
    let text = "<?xml version=\"1.0\" encoding=\"utf-16\"?><rss><channel><item><title>é𝄞</title></item></channel></rss>"
    let body = text.utf16.flatMap { isBig ? [UInt8($0 >> 8), UInt8($0 & 255)] : [UInt8($0 & 255), UInt8($0 >> 8)] }
    let page = try await FeedDesk.page(Response(status: 200, body: mark + body))
    #expect(page.items.map { $0.post?.title } == ["é𝄞"])
  }
}
