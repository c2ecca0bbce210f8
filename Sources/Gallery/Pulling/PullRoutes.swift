import FoundationEssentials
import Hummingbird
import MediaLibrary
import Posts

/// Pulls that pages ask for.
struct PullRoutes: Sendable {
  let parts: GalleryParts

  /// The maximum number of posts whose pictures one request fetches.
  private static let mostPosts = 500

  func add(to router: Router<GalleryContext>) {
    router.get("/pull") { request, _ in
      let page = try await parts.read { library in
        PullPage(
          fields: request.fields, feeds: try library.store.feeds(), follows: try library.store.follows(),
          isReadOnly: parts.isReadOnly, now: parts.now())
      }
      return parts.page(page.html)
    }
    router.get("/api/jobs") { _, _ in Response(json: ["jobs": await parts.jobs.all]) }
    router.post("/api/jobs/cancel") { request, _ in
      Response(json: ["jobs": [try await parts.jobs.cancel(try await request.object(NumberBody.self).id)]])
    }
    router.post("/api/jobs/again") { request, _ in
      Response(json: ["jobs": [try await parts.jobs.again(try await request.object(NumberBody.self).id)]])
    }
    addPulls(to: router)
    addFollows(to: router)
  }

  private func addPulls(to router: Router<GalleryContext>) {
    router.post("/api/pull/refresh") { request, _ in
      guard let feeds = try await feeds(of: request) else { return try await begin([.followed]) }
      return try await begin(feeds.map(JobPlan.newest))
    }
    router.post("/api/pull/older") { request, _ in
      guard let feeds = try await feeds(of: request) else { throw PullRefusal.noFeeds }
      return try await begin(feeds.prefix(1).map(JobPlan.older))
    }
    router.post("/api/pull/feed") { request, _ in
      try await begin([try await request.object(FeedBody.self).plan()])
    }
    router.post("/api/pull/fill") { request, _ in
      let body = try await request.object(NamedFeedBody.self)
      let feed = try body.feed.argument("feed")
      let command = MediaArguments("gaps", [feed]).adding("--fill").adding("--pages", body.pages.map(String.init))
      return try await begin([JobPlan(kind: .fill, title: "Fill the gaps of \(feed)", command: command)])
    }
    router.post("/api/pull/pictures") { request, _ in
      let ids = Array(Set(try await request.object(PostsBody.self).ids)).sorted()
      guard (1...Self.mostPosts).contains(ids.count) else {
        throw RequestError.badParameter("ids", must: "1 to \(Self.mostPosts) numbers of posts")
      }
      let title = ids.count == 1 ? "Pictures of a post" : "Pictures of \(ids.count) posts"
      return try await begin([
        JobPlan(kind: .pictures, title: title, command: MediaArguments("pictures", ids.map(String.init)))
      ])
    }
  }

  private func addFollows(to router: Router<GalleryContext>) {
    router.post("/api/follow") { request, _ in
      let body = try await request.object(NamedFeedBody.self)
      let feed = try body.feed.argument("feed")
      let command = MediaArguments("follow", [feed]).adding("--every", try body.every?.argument("every"))
      return try await begin([JobPlan(kind: .follow, title: "Follow \(feed)", command: command)])
    }
    router.post("/api/unfollow") { request, _ in
      let feed = try await request.object(NamedFeedBody.self).feed.argument("feed")
      let command = MediaArguments("unfollow", [feed])
      return try await begin([JobPlan(kind: .follow, title: "Unfollow \(feed)", command: command)])
    }
    router.post("/api/restore-all") { request, _ in
      let address = try await request.object(ListBody.self).address
      guard address.search == nil else {
        throw RequestError.badParameter("list", must: "one without a filter")
      }
      let changed = try await parts.read { library in
        try library.restore(try library.store.deletedPosts(of: try address.list(in: library))).changed
      }
      return Response(json: ["changed": changed])
    }
  }

  /// The feeds of a request's list; nil if it shows posts of all feeds.
  private func feeds(of request: Request) async throws -> [Feed]? {
    let address = try await request.object(ListBody.self).address
    let feeds = try await parts.read { try address.feeds(in: $0) }
    if feeds?.isEmpty == true { throw PullRefusal.noFeeds }
    return feeds
  }

  private func begin(_ plans: [JobPlan]) async throws -> Response {
    var jobs: [Job] = []
    for plan in plans { jobs.append(try await parts.jobs.add(plan)) }
    return Response(json: ["jobs": jobs], status: .accepted)
  }
}

extension Request {
  /// The JSON object that was sent.
  ///
  /// - Parameters:
  ///   - limit: The maximum number of its bytes.
  ///   - must: What it must be, for the person.
  func object<Value: Decodable>(
    _ type: Value.Type, upTo limit: Int = 1 << 16, must: String = "a JSON object with the right fields"
  ) async throws -> Value {
    let bytes = try await body.collect(upTo: limit)
    guard let value = try? JSONDecoder().decode(type, from: Data(buffer: bytes)) else {
      throw RequestError.badParameter("the body", must: must)
    }
    return value
  }
}
