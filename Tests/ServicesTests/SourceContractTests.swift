import HTTP
import Posts
import Services
import Testing

/// The contract that every source keeps, whatever its API.
struct SourceContractTests {
  private func pull(
    _ dialect: Dialect, _ answering: Answering, after cursor: Cursor? = nil, token: Secret? = nil
  ) async throws -> Page {
    let source = try dialect.speaker(token, answering.transport, .fixed(at: "2026-11-21T10:00:00Z"))
    return try await source.page(of: dialect.feed, after: cursor, size: nil)
  }

  private func pull(_ dialect: Dialect, _ answer: Response, after cursor: Cursor? = nil) async throws -> Page {
    try await pull(dialect, Answering(.success(answer)), after: cursor)
  }

  private func cursor(of dialect: Dialect) async throws -> Cursor {
    let next = try await pull(dialect, dialect.first).next
    guard case .after(let cursor) = next else {
      Issue.record("`first` leads nowhere: \(next)")
      throw CancellationError()
    }
    return cursor
  }

  /// Why an item is not a post; nil if it is one.
  private func reason(_ item: PageItem) -> String? {
    if case .unreadable(let reason) = item.content { reason } else { nil }
  }

  @Test func `every source of the catalogue stands there once and is held to the contract`() {
    let names = Catalogue.entries.map(\.name)
    #expect(Set(names).count == names.count)
    #expect(Set(names) == Set(Dialect.all.map(\.source)))
    #expect(Catalogue.entry(.manual) == nil)
  }

  // MARK: Posts

  @Test(arguments: Dialect.all)
  func `a page gives posts of this source, each once, with identity, link and server`(dialect: Dialect) async throws {
    let page = try await pull(dialect, dialect.first)
    let posts = page.items.compactMap(\.post)
    #expect(posts.count >= 2, "not read: \(page.items.compactMap(reason))")
    #expect(Set(posts.map(\.uri)).count == posts.count, "\(posts.map(\.uri))")
    #expect(Set(page.items.map(\.id)).count == page.items.count, "\(page.items.map(\.id))")
    for post in posts {
      #expect(post.source == Catalogue.entry(dialect.source)?.network)
      #expect(post.server == Dialect.server)
      #expect(post.uri.contains(":"))
      #expect(post.url?.hasPrefix("http") == true)
    }
  }

  @Test(arguments: Dialect.all)
  func `the items stand in the server's order`(dialect: Dialect) async throws {
    let offsets = try await pull(dialect, dialect.first).items.map {
      dialect.first.body.firstRange(of: $0.raw)?.lowerBound
    }
    #expect(offsets.count >= 2)
    #expect(offsets.compactMap { $0 } == offsets.compactMap { $0 }.sorted())
    #expect(!offsets.contains(nil), "an item's raw bytes are not those of the answer")
  }

  @Test(arguments: Dialect.all)
  func `asking twice gives the same`(dialect: Dialect) async throws {
    let pages = [try await pull(dialect, dialect.first), try await pull(dialect, dialect.first)]
    #expect(pages[0].items.map(\.post) == pages[1].items.map(\.post))
    #expect(pages[0].next == pages[1].next)
  }

  @Test(arguments: Dialect.all)
  func `one broken item costs itself alone`(dialect: Dialect) async throws {
    #expect(dialect.broken.text != dialect.first.text, "what `broken` replaces does not stand in `first`")
    let whole = try await pull(dialect, dialect.first).items
    let items = try await pull(dialect, dialect.broken).items
    #expect(items.count == whole.count, "a broken item stays on the page, as unreadable, with its bytes")
    #expect(
      items.count { $0.post != nil } == whole.count { $0.post != nil } - 1, "not read: \(items.compactMap(reason))")
  }

  // MARK: Paging

  @Test(arguments: Dialect.all)
  func `pages end, and none brings a post of the one before`(dialect: Dialect) async throws {
    let answering = Answering(inTurn: [dialect.first, dialect.last])
    var seen: Set<String> = []
    var cursor: Cursor?
    for _ in 0..<2 {
      let page = try await pull(dialect, answering, after: cursor)
      for post in page.items.compactMap(\.post) { #expect(seen.insert(post.uri).inserted, "\(post.uri)") }
      cursor = if case .after(let next) = page.next { next } else { nil }
    }
    #expect(cursor == nil, "`last` is to have nothing after it")
    #expect(answering.requests.count == 2)
  }

  @Test(arguments: Dialect.all)
  func `an empty page has nothing after it`(dialect: Dialect) async throws {
    let page = try await pull(dialect, dialect.empty)
    #expect(page.items.isEmpty)
    #expect(page.next == .end || page.next == .horizon)
  }

  @Test(arguments: Dialect.all.filter { !$0.repeatsCursor })
  func `a cursor that comes again is not followed`(dialect: Dialect) async throws {
    let cursor = try await cursor(of: dialect)
    do {
      let next = try await pull(dialect, dialect.circle, after: cursor).next
      #expect(next != .after(cursor))
      // What lies below is not known: the walk must not take it for the feed's end.
      #expect(next != .end)
    } catch let error as SourceError { #expect(error.exitCode == .unreadable) }
  }

  @Test(arguments: Dialect.all)
  func `a cursor is asked for and is not an address`(dialect: Dialect) async throws {
    let cursor = try await cursor(of: dialect)
    #expect(!cursor.value.contains("://"))
    let (first, second) = (Answering(.success(dialect.first)), Answering(.success(dialect.last)))
    _ = try await pull(dialect, first)
    _ = try await pull(dialect, second, after: cursor)
    let request = try #require(second.requests.first)
    #expect(request.asked != first.requests.first?.asked)
    let query = cursor.value.split(separator: "?").last.map(String.init) ?? ""
    #expect(
      request.asked.contains(Request.percentEncoded(cursor.value)) || request.asked.contains(query),
      "\(cursor) is not asked for")
    #expect(Dialect.server.owns(request.url))
  }

  @Test(arguments: Dialect.all.filter { $0.astray != nil })
  func `a way on that leads to another host is not gone, and the page that bears it counts`(
    dialect: Dialect
  ) async throws {
    let page = try await pull(dialect, try #require(dialect.astray))
    #expect(page.next == .refused(reason: "its next page lies on another server"))
    #expect(page.items.contains { $0.post != nil })
  }

  // MARK: Secrets

  @Test(arguments: Dialect.all)
  func `only its own server is asked, once, and the token stands in no address`(dialect: Dialect) async throws {
    let answering = Answering(.success(dialect.first))
    _ = try await pull(dialect, answering, token: Secret("another-secret"))
    #expect(answering.requests.count == 1)
    let request = try #require(answering.requests.first)
    #expect(Dialect.server.owns(request.url))
    #expect(!request.asked.contains("another-secret"))
    #expect((request.token != nil) == dialect.hasLogin)
  }

  @Test(arguments: Dialect.all.filter { $0.leaking != nil })
  func `a token that the server writes into its addresses is not kept`(dialect: Dialect) async throws {
    let answer = try #require(dialect.leaking)
    let page = try await pull(dialect, Answering(.success(answer)), token: Secret(Dialect.token))
    guard case .after(let cursor) = page.next else {
      Issue.record("the page leads nowhere")
      return
    }
    #expect(!cursor.value.contains(Dialect.token))
    for post in page.items.compactMap(\.post) { #expect(!"\(post)".contains(Dialect.token)) }
    for id in page.items.compactMap(\.id) { #expect(!id.contains(Dialect.token)) }
  }
}
