import Foundation
import HTTP
import Machine
import Posts
import Services

extension FuzzTarget {
  /// The pages of every source, in each of its dialects.
  static let pages = [
    page("mastodon", .mastodon), page("instagram", .instagram), page("instagram-graph", .instagram, api: "graph"),
    page("x", .x), page("x-1.1", .x, api: "1.1"),
    page("bluesky", .bluesky),
    page("feed-xml", .feed, type: "application/xml"), page("feed-json", .feed, type: "application/feed+json"),
  ]

  private static func page(_ name: String, _ source: SourceName, api: String? = nil, type: String = "application/json")
    -> FuzzTarget
  {
    FuzzTarget(name, longest: 16 << 10) { bytes in
      for status in [200, apiErrors[bytes.count % apiErrors.count]] {
        let answer = Response(
          status: status, headers: ["Content-Type": type], body: bytes, url: "https://birds.example/feed")
        try await PageTrial(source: source, api: api, answer: answer).run()
      }
    }
  }

  private static let apiErrors = [400, 401, 403, 404, 410, 422, 429, 500]
}

/// A source whose server gives the same answer to every request.
private struct PageTrial {
  let source: SourceName
  let api: String?
  let answer: Response

  func run() async throws {
    guard let server = Server("birds.example"),
      let spoken = Catalogue.entry(source)?.api(api, at: server)
    else { throw BrokenPromise(description: "there is such a source") }
    let answer = answer
    let send: @Sendable (Request) async throws(TransportError) -> Response = { _ in answer }
    let transport = Transport(send: send, download: { request, _ throws(TransportError) in try await send(request) })
    let time = TimeSource(now: { Date(timeIntervalSince1970: 1_795_255_200) }, sleep: { _ in }, chance: { 0 })
    let caller = Caller(token: Secret("hush-hush-7f3a"), user: "17841405309211844", hashtags: OneHashtag())
    let speaker = spoken.make(server, caller, transport, time)
    for feed in feeds(at: server) {
      do {
        let page = try await speaker.page(of: feed, after: nil, size: nil)
        try check(page)
        if case .after(let cursor) = page.next { try check(await speaker.page(of: feed, after: cursor, size: nil)) }
      } catch let error as SourceError {
        try promise("an error is one line", error.description.isOneLine)
      }
    }
  }

  private func feeds(at server: Server) -> [Feed] {
    if source == .feed { return [Feed(source: .feed, kind: .url, value: "https://birds.example/feed", server: server)] }
    return [(Feed.Kind.tag, "cats"), (.user, "birds")].map {
      Feed(source: source, kind: $0.0, value: $0.1, server: server)
    }
  }

  private func check(_ page: Page) throws {
    if case .after(let cursor) = page.next {
      try promise("a cursor is neither a URL nor a secret", !cursor.value.contains("hush-hush-7f3a"))
    }
    for item in page.items {
      switch item.content {
      case .post(let post): try check(post)
      case .unreadable(let reason): try promise("a reason is one line", reason.isOneLine)
      }
    }
  }

  private func check(_ post: Post) throws {
    try promise("a post has an identity of one line", !post.uri.isEmpty && post.uri.isOneLine)
    try promise("a post's date can be written", UTC.date(UTC.text(post.createdAt)) != nil)
    try promise("a caption holds no zero byte", !post.caption.utf8.contains(0))
    try promise("lists within a post are bounded", post.tags.count <= 1000 && post.attachments.count <= 100)
    let addresses =
      [post.url, post.author?.url, post.author?.avatarURL] + post.attachments.flatMap { [$0.url, $0.previewURL] }
    for address in addresses.compactMap({ $0 }) {
      try promise("an address is one of the web: \(address)", address.isOneLine && address.hasPrefix("http"))
    }
    let sizes = post.attachments.flatMap { [$0.width, $0.height] }.compactMap { $0 }
    try promise("a picture has a size one can think of", sizes.allSatisfy { (1...1_000_000).contains($0) })
  }
}

private struct OneHashtag: HashtagBudgetStore {
  func ask(for name: String, as account: String, at server: Server) async throws(SourceError) -> String? { nil }
  func keep(_ id: String, of name: String, at server: Server) async throws(SourceError) {}
}
