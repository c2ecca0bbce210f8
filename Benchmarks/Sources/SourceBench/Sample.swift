import Foundation
import HTTP
import Posts
import Services

/// A page of a source, made up: posts of about the same length, each with two pictures and two tags.
struct Sample {
  let name: String
  let source: SourceName
  var api: String?
  var feed = "cats"
  let posts: Int
  var files = 2
  let body: [UInt8]

  static let all = [
    Sample(name: "mastodon", source: .mastodon, posts: 40, body: Pages.mastodon(40)),
    Sample(name: "misskey", source: .misskey, posts: 40, body: Pages.misskey(40)),
    Sample(name: "lemmy", source: .lemmy, posts: 40, body: Pages.lemmy(40)),
    Sample(name: "instagram v1", source: .instagram, api: "v1", posts: 33, body: Pages.instagram(33)),
    Sample(name: "instagram graph", source: .instagram, api: "graph", posts: 50, body: Pages.graph(50)),
    Sample(name: "x 2", source: .x, posts: 100, body: Pages.x(100)),
    Sample(name: "x 1.1", source: .x, api: "1.1", posts: 100, body: Pages.xFirst(100)),
    Sample(name: "bluesky", source: .bluesky, posts: 40, body: Pages.bluesky(40)),
    // A photo is one file.
    Sample(name: "flickr", source: .flickr, posts: 100, files: 1, body: Pages.flickr(100)),
    Sample(name: "tumblr", source: .tumblr, posts: 20, body: Pages.tumblr(20)),
    Sample(name: "RSS", source: .feed, feed: "https://birds.example/feed", posts: 40, body: Pages.rss(40)),
    Sample(name: "Atom", source: .feed, feed: "https://birds.example/feed", posts: 40, body: Pages.atom(40)),
    Sample(name: "JSON Feed", source: .feed, feed: "https://birds.example/feed", posts: 40, body: Pages.json(40)),
  ]

  private static let rounds = 300

  /// The median of many rounds, in microseconds: decoding and mapping, nothing of network or store.
  func timePerPost() async throws -> Double {
    let (source, feed) = try made()
    var times: [Double] = []
    for _ in 0..<Self.rounds {
      let start = ContinuousClock.now
      let page = try await source.page(of: feed, after: nil, size: nil)
      let time = ContinuousClock.now - start
      guard page.items.count == posts, page.items.allSatisfy({ ($0.post?.attachments.count ?? 0) == files }) else {
        throw Unlike(name: name)
      }
      times.append(time / .microseconds(1) / Double(posts))
    }
    return times.sorted()[times.count / 2]
  }

  private func made() throws -> (any Source, Feed) {
    guard let server = Server("birds.example"), let made = Catalogue.entry(source)?.api(api, at: server)?.make else {
      throw Unlike(name: name)
    }
    let answer = Response(status: 200, body: body)
    let found = Response(status: 200, body: Array("{\"data\":[{\"id\":\"17\"}]}".utf8))
    let send: @Sendable (Request) async throws(TransportError) -> Response = { request throws(TransportError) in
      request.url.contains("ig_hashtag_search") ? found : answer
    }
    let transport = Transport(send: send) { request, _ throws(TransportError) in try await send(request) }
    let caller = Caller(token: Secret("hush-hush-hush"), user: "1")
    let kind: Feed.Kind = source == .feed ? .url : .tag
    return (made(server, caller, transport, .system), Feed(source: source, kind: kind, value: feed, server: server))
  }

  /// A page that was not read completely: its time means nothing.
  struct Unlike: Error { let name: String }
}
