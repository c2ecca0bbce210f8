import HTTP
import Posts
import Services
import Testing

/// What every source keeps, whatever it speaks. A source is tested by standing in the catalogue; its folder of
/// fixtures holds `page.json`, a first page with at least two posts, and `empty.json`, a page without any.
struct SourceContractTests {
  private static let server = Server("birds.example")!
  static let names = Catalogue.entries.map(\.name)

  private func pull(_ name: SourceName, _ answering: Answering, after cursor: Cursor? = nil, token: Secret? = nil)
    async throws -> Page
  {
    let entry = try #require(Catalogue.entry(name))
    let source = entry.make(
      SourceContractTests.server,
      token,
      answering.transport,
      .fixed(at: "2026-11-21T10:00:00Z")
    )
    let feed = Feed(source: name, kind: .tag, value: "cats", server: SourceContractTests.server)
    return try await source.page(of: feed, after: cursor, size: nil)
  }

  private func error(_ name: SourceName, _ answering: Answering, token: Secret? = nil) async throws -> SourceError? {
    do {
      _ = try await pull(name, answering, token: token)
      return nil
    } catch let error as SourceError { return error }
  }

  @Test(arguments: names)
  func `a page gives posts of this source, each with identity and server`(name: SourceName) async throws {
    let page = try await pull(name, Answering(200, fixture("page.json", of: name)))
    let posts = page.items.compactMap(\.post)
    #expect(posts.count >= 2)
    #expect(Set(posts.map(\.uri)).count == posts.count)
    for post in posts {
      #expect(post.source == name)
      #expect(post.server == SourceContractTests.server)
      #expect(!post.uri.isEmpty)
    }
  }

  @Test(arguments: names)
  func `asking twice gives the same`(name: SourceName) async throws {
    let body = try fixture("page.json", of: name)
    let pages = [try await pull(name, Answering(200, body)), try await pull(name, Answering(200, body))]
    #expect(pages[0].items.map(\.post) == pages[1].items.map(\.post))
    #expect(pages[0].next == pages[1].next)
  }

  @Test(arguments: names)
  func `each item's bytes are verbatim and lie in the answer`(name: SourceName) async throws {
    let body = try fixture("page.json", of: name)
    for item in try await pull(name, Answering(200, body)).items {
      #expect(!item.raw.isEmpty)
      #expect(body.firstRange(of: item.raw) != nil)
    }
  }

  @Test(arguments: names)
  func `an empty page is the end`(name: SourceName) async throws {
    let page = try await pull(name, Answering(200, fixture("empty.json", of: name)))
    #expect(page.items.isEmpty)
    #expect(page.next == .end)
  }

  @Test(arguments: names)
  func `a cursor is asked for, is no URL and holds no token`(name: SourceName) async throws {
    let answering = Answering(200, try fixture("page.json", of: name))
    guard case .after(let cursor) = try await pull(name, answering, token: Secret("hush")).next else {
      Issue.record("the first page leads nowhere")
      return
    }
    #expect(!cursor.value.contains("://"))
    #expect(!cursor.value.contains("hush"))
    let second = Answering(200, try fixture("empty.json", of: name))
    _ = try await pull(name, second, after: cursor)
    #expect(second.requests.first?.url != answering.requests.first?.url)
    #expect(second.requests.first?.url.contains(Request.percentEncoded(cursor.value)) == true)
  }

  @Test(arguments: names)
  func `only its own server is asked, once, without a token in the address`(name: SourceName) async throws {
    let answering = Answering(200, try fixture("page.json", of: name))
    _ = try await pull(name, answering, token: Secret("hush"))
    #expect(answering.requests.count == 1)
    let url = try #require(answering.requests.first?.url)
    #expect(SourceContractTests.server.owns(url))
    #expect(!url.contains("hush"))
  }

  @Test(arguments: names)
  func `one broken item costs itself alone`(name: SourceName) async throws {
    let body = try fixture("page.json", of: name)
    let whole = try await pull(name, Answering(200, body)).items
    let broken = try #require(whole.first { $0.post != nil })
    let place = try #require(body.firstRange(of: broken.raw))
    var changed = body
    changed.replaceSubrange(place, with: Array("{\"broken\":[1,2]}".utf8))
    let items = try await pull(name, Answering(200, changed)).items
    #expect(items.count == whole.count)
    #expect(items.filter { $0.post != nil }.count == whole.filter { $0.post != nil }.count - 1)
  }

  @Test(arguments: names)
  func `a web page, nothing, and half an answer are unreadable`(name: SourceName) async throws {
    let page = try fixture("page.json", of: name)
    for body in [Array("<!DOCTYPE html><html></html>".utf8), [], Array(page.prefix(page.count / 2)), [0, 1, 2, 255]] {
      #expect(try await error(name, Answering(200, body))?.exitCode == .unreadable)
    }
  }

  @Test(arguments: names)
  func `each refusal has the exit code that people are promised`(name: SourceName) async throws {
    for (status, code) in [
      (401, ExitCode.needsLogin), (404, .unavailable), (410, .unavailable), (429, .tryLater), (500, .unavailable),
      (503, .unavailable), (302, .unreadable),
    ] {
      let error = try await error(name, Answering(status, Array("<html>no</html>".utf8)))
      #expect(error?.exitCode == code, "status \(status)")
    }
  }

  @Test(arguments: names)
  func `a refused token sends people to log in again`(name: SourceName) async throws {
    let error = try #require(try await error(name, Answering(401, []), token: Secret("hush")))
    #expect(error.exitCode == .needsLogin)
    #expect(error.cure?.contains("media login birds.example") == true)
    #expect(!error.description.contains("hush"))
  }

  @Test(arguments: names)
  func `a pull that is stopped says so`(name: SourceName) async throws {
    #expect(try await error(name, Answering(.failure(.cancelled))) == .cancelled)
  }

  @Test func `every source stands in the catalogue once`() {
    #expect(Set(SourceContractTests.names).count == SourceContractTests.names.count)
    #expect(Catalogue.entry(.manual) == nil)
  }
}
