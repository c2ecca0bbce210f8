import HTTP
import Machine
import Posts
import PropertyTesting
import Services
import Testing

/// What Flickr's photos become.
struct FlickrTests {
  private func items() async throws -> [PageItem] {
    try await FlickrDesk(Response(status: 200, body: try fixture("page.json", of: .flickr))).page().items
  }

  @Test func `a photo keeps its facts, and the original is its file`() async throws {
    let item = try #require(try await items().first)
    let post = try #require(item.post)
    #expect((item.id, post.remoteID) == ("53412345678", "53412345678"))
    #expect(post.uri == "https://birds.example/photos/12345678@N01/53412345678")
    #expect(post.url == "https://birds.example/photos/birds-of-the-bay/53412345678")
    #expect(post.createdAt == UTC.date("2026-11-20T09:00:00Z"))
    #expect(post.title == "Morning at the \"harbour\"")
    #expect(post.caption == "First light.\nSecond & third.\n\nEnd")
    #expect(post.tags == ["cats", "redpanda", "camera:model=x100"])
    #expect((post.sensitive, post.visibility, post.warning) == (false, .public, ""))
    #expect(post.license?.rawValue == "https://creativecommons.org/licenses/by/2.0/")
    let author = try #require(post.author)
    #expect(
      (author.uri, author.handle) == ("https://birds.example/people/12345678@N01", "birds-of-the-bay@birds.example"))
    #expect((author.name, author.url) == ("Birds of the Bay", "https://birds.example/photos/birds-of-the-bay"))
    #expect(author.avatarURL == "https://birds.example/7312/buddyicons/12345678@N01.jpg")
    let picture = try #require(post.attachments.first)
    #expect((picture.kind, picture.width, picture.height) == (.image, 6000, 4000))
    #expect(picture.url == "https://live.staticflickr.example/65535/53412345678_5f6a7b8c9d_o.jpg")
    #expect(picture.previewURL == "https://live.staticflickr.example/65535/53412345678_0a1b2c3d4e_z.jpg")
    #expect(post.attachments.count == 1 && post.listsAttachments)
  }

  @Test func `a photo of a free account has the largest size that is offered`() async throws {
    let post = try #require(try await items()[1].post)
    #expect(post.attachments.map(\.url) == ["https://live.staticflickr.example/65535/53412345600_aaaaaaaaaa_b.jpg"])
    #expect((post.attachments[0].width, post.title, post.caption) == (1024, nil, ""))
    #expect((post.sensitive, post.visibility, post.license?.rawValue) == (true, .followers, "All rights reserved"))
    #expect((post.author?.handle, post.author?.avatarURL) == ("87654321@N00@birds.example", nil))
    #expect(post.url == "https://birds.example/photos/87654321@N00/53412345600")
  }

  @Test func `what gallery-dl wrote of a photo is the post that is pulled`() async throws {
    let written = #"""
      {"category":"flickr","subcategory":"user","id":53412345678,"secret":"s","title":"Morning","ispublic":1,"isfriend":0,
      "owner":{"nsid":"12345678@N01","username":"Birds","path_alias":"birds-of-the-bay"},"description":"Light\nand <b>air</b>",
      "dateupload":"1795165200","date":"2026-11-20 09:00:00","tags":["cats","redpanda"],"media":"photo","width":6000,
      "height":4000,"url":"https://live.staticflickr.example/1_o.jpg","label":"Original","extension":"jpg","num":0}
      """#
    let post = try #require(Catalogue.downloadedPost([Array(written.utf8)]).post)
    #expect((post.source, post.remoteID) == (.flickr, "53412345678"))
    #expect(post.uri == "https://www.flickr.com/photos/12345678@N01/53412345678")
    #expect(post.author?.handle == "birds-of-the-bay@flickr.com" && post.createdAt == UTC.date("2026-11-20T09:00:00Z"))
    #expect((post.caption, post.tags, post.visibility) == ("Light\nand air", ["cats", "redpanda"], .public))
    #expect(post.attachments.map(\.url) == ["https://live.staticflickr.example/1_o.jpg"])
    #expect((post.attachments[0].kind, post.attachments[0].width) == (.image, 6000))
  }

  @Test func `the answer of a photo says when and where it was taken, as exactly as its owner does`() async throws {
    let answers = try await items().map { Array($0.raw) }
    let said = answers.map { Catalogue.said(of: .flickr, answer: $0) }
    let position = try #require(SaidFacts.Position(latitude: 54.123456, longitude: 10.123456))
    #expect(said[0] == SaidFacts(takenAt: "2026-11-19T08:12:44", position: position))
    // A day that nobody knows is that of posting.
    #expect(said[1] == nil && Catalogue.said(of: .usual, answer: answers[0]) == nil)
    let taken = #""taken":"1920-05-00 00:00:00","takenunknown":"0""#
    for (answer, takenAt, latitude) in [
      (#""dates":{\#(taken),"takengranularity":4}"#, "1920-05", nil),
      (#""dates":{\#(taken),"takengranularity":"6"}"#, "1920", nil),
      (#""dates":{\#(taken),"takengranularity":8}"#, "1920", nil),
      (#""dates":{\#(taken),"takengranularity":0}"#, nil, nil),
      (#""dates":{\#(taken),"takengranularity":5}"#, nil, nil),
      (#""datetaken":"0000-00-00 00:00:00""#, nil, nil), (#""datetaken":"2026-02-30 00:00:00""#, nil, nil),
      (#""datetaken":"yesterday, at noon!""#, nil, nil), (#""datetaken":7"#, nil, nil),
      (#""location":{"latitude":"-1.5","longitude":"0","accuracy":"11"}"#, nil, -1.5),
      (#""latitude":0,"longitude":0,"accuracy":0"#, nil, nil),
      (#""latitude":38.048217,"longitude":-119.258952,"accuracy":"16""#, nil, 38.048217),
      (#""latitude":"1","longitude":"2","accuracy":"6"#, nil, nil),
      (#""latitude":"1","longitude":"2","accuracy":"6""#, nil, nil), (#""latitude":"1","longitude":"2""#, nil, nil),
      (#""latitude":"91","longitude":"2","accuracy":"16""#, nil, nil),
      (#""latitude":"nan","longitude":"2","accuracy":"16""#, nil, nil),
      (#""latitude":"1","longitude":"1e999","accuracy":"16""#, nil, nil),
      (#""latitude":"1","accuracy":"16""#, nil, nil),
    ] as [(String, String?, Double?)] {
      let said = Catalogue.said(of: .flickr, answer: Array("{\(answer)}".utf8))
      #expect(said?.takenAt == takenAt && said?.position?.latitude == latitude, "\(answer)")
    }
  }

  @Test func `a photo without sizes says nothing of its files`() async throws {
    let post = try #require(try await items()[2].post)
    #expect(post.attachments.isEmpty && !post.listsAttachments && post.visibility == nil)
  }

  @Test func `at Flickr itself addresses are those of the web site`() async throws {
    let post = try #require(
      try await FlickrDesk(
        FlickrDesk.answer(#"{"id":"12","owner":"1@N00","dateupload":"9","iconserver":"7","iconfarm":8}"#),
        at: "www.flickr.com"
      ).page().items.first?.post)
    #expect(post.uri == "https://www.flickr.com/photos/1@N00/12")
    #expect(post.author?.avatarURL == "https://farm8.staticflickr.com/7/buddyicons/1@N00.jpg")
  }

  @Test(
    arguments: [
      ("", nil), (#""ispublic":1"#, .public), (#""ispublic":"1""#, .public),
      (#""ispublic":0,"isfriend":1"#, .followers),
      (#""ispublic":0,"isfamily":"1""#, .followers), (#""ispublic":0,"isfriend":0,"isfamily":0"#, .direct),
      (#""visibility":{"ispublic":0,"isfriend":1,"isfamily":0}"#, .followers), (#""ispublic":"x""#, .direct),
    ] as [(String, Visibility?)])
  func `who may see it is known, also from the stored answer`(fields: String, visibility: Visibility?) async throws {
    let item = try await FlickrDesk.item(fields)
    #expect(item.post?.visibility == visibility)
    #expect(Catalogue.visibility(of: .flickr, answer: item.raw, addresses: []) == visibility)
  }

  @Test(
    arguments: [
      (#""safety_level":"0""#, false), (#""safety_level":1"#, true), (#""safety_level":"2""#, true), ("", false),
      (#""needs_interstitial":1"#, true), (#""needs_interstitial":0,"safety_level":[]"#, false),
    ])
  func `what is not safe is sensitive`(fields: String, isSensitive: Bool) async throws {
    #expect(try await FlickrDesk.item(fields).post?.sensitive == isSensitive)
  }

  @Test(arguments: PropertyTest.seeds(sample: 100, whole: 10_000))
  func `a damaged page costs what is damaged, and nothing falls over`(seed: UInt64) async throws {
    var random = Dice(state: seed)
    var damaged = try fixture("page.json", of: .flickr)
    for _ in 0..<Int.random(in: 1...4, using: &random) { damaged.mutate(with: "[]{}\"\\,: 0\n", &random) }
    guard let page = try? await FlickrDesk(Response(status: 200, body: damaged)).page() else { return }
    for post in page.items.compactMap(\.post) {
      #expect(post.uri.hasPrefix("https://birds.example/photos/"))
      #expect(post.attachments.allSatisfy { $0.url?.hasPrefix("http") ?? ($0.kind == .video) })
    }
  }

  @Test func `wrong types and huge values cost themselves alone`() async throws {
    for fields in [
      #""title":{},"description":7,"tags":[],"machine_tags":{},"url_o":"javascript:x","pathalias":"../x""#,
      #""url_o":"https://a.example/1","width_o":1e99,"height_o":"-1","ownername":[],"iconserver":"7/..""#,
      #""url_z":"https://a.example/1","width_z":[],"pathalias":"a b","iconserver":{},"media":7,"owner_name":null"#,
    ] {
      let post = try #require(try await FlickrDesk.item(fields).post, "\(fields)")
      #expect(post.attachments.allSatisfy { $0.width == nil && $0.height == nil })
      #expect((post.tags, post.title, post.author?.avatarURL) == ([], nil, nil))
      #expect(post.url == "https://birds.example/photos/1@N00/12")
    }
    let long = String(repeating: "x ", count: 1 << 20)
    let post = try await FlickrDesk.item(#""description":{"_content":"\#(long)"}"#).post
    #expect((post?.caption.utf8.count ?? 0) <= 1 << 20)
    for (fields, reason) in [
      (#"{"id":"../x","owner":"1@N00","dateupload":"9"}"#, "it has no id"),
      (#"{"id":"12","owner":"x/y","dateupload":"9"}"#, "it names no owner"),
      (#"{"id":"12","owner":"1@N00","dateupload":[]}"#, "it has no usable date"),
    ] {
      let item = try #require(try await FlickrDesk(FlickrDesk.answer(fields)).page().items.first)
      guard case .unreadable(reason) = item.content else {
        Issue.record("\(item.content)")
        continue
      }
    }
  }
}
