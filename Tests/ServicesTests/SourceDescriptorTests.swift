import Foundation
import HTTP
import Posts
import Services
import Testing

extension SourceDescriptor: CustomTestStringConvertible {
  /// Its name, for the test's name.
  public var testDescription: String { name.rawValue }
}

/// What every source says of itself, and that it keeps it.
struct SourceDescriptorTests {
  @Test(arguments: Catalogue.entries)
  func `a descriptor is complete`(source: SourceDescriptor) {
    #expect(source.name.rawValue.wholeMatch(of: /[a-z][a-z0-9]*/) != nil)
    #expect(!source.displayName.isEmpty && !source.summary.isEmpty)
    #expect(source.polling.longest >= .seconds(900))
    let names = source.apis.map(\.name)
    #expect(names.count == 1 || Set(names.compactMap(\.self)).count == names.count)
    #expect(source.apis.count == source.others.count + 1)
    for (name, api) in source.apis {
      #expect(!api.kinds.isEmpty)
      #expect(api.bounds.largestPage.map { $0 > 0 } ?? true)
      #expect(Set(api.limits.keys).isSubset(of: api.kinds) && Set(api.help.keys).isSubset(of: api.kinds))
      #expect((api.bounds.hashtags != nil) == api.abilities.contains(.countHashtags))
      #expect(
        api.login.map { $0.arguments.isEmpty || $0.arguments.hasPrefix("--source \(source.name.rawValue) ") } ?? true)
      let isListed = Dialect.all.contains {
        $0.source == source.name && source.name(of: $0.api, at: Dialect.server) == name
      }
      #expect(isListed, "no dialect speaks the API \(name ?? "")")
    }
  }

  @Test(arguments: Catalogue.entries)
  func `a name is round-tripped, alone and in the name of a feed`(source: SourceDescriptor) throws {
    let bytes = try JSONEncoder().encode([source.name])
    #expect(String(decoding: bytes, as: UTF8.self) == "[\"\(source.name.rawValue)\"]")
    #expect(try JSONDecoder().decode([SourceName].self, from: bytes) == [source.name])
    let feed = Feed(source: source.name, kind: .tag, value: "cats", server: Dialect.server)
    let mark = source.name == .usual ? "" : "\(source.name.rawValue)+"
    #expect(feed.name == "tag:cats@\(mark)birds.example")
  }

  @Test func `the usual source is one of the catalogue, and one source's feeds are addresses`() {
    #expect(Catalogue.entry(.usual)?.name == .mastodon)
    #expect(Catalogue.entries.filter(\.isOfAddresses).map(\.name) == [Catalogue.ofAddresses])
  }

  @Test func `host aliases belong to one source each`() throws {
    let homes = Catalogue.entries.compactMap { source in source.home.map { (source, $0) } }
    let hosts = homes.flatMap(\.1.hosts)
    #expect(Set(hosts).count == hosts.count)
    for (source, home) in homes {
      #expect(home.owns(home.server))
      for host in home.hosts {
        for name in [host, "www.\(host)"] {
          #expect(Catalogue.entry(owning: try #require(Server(name)))?.name == source.name)
        }
        for name in ["http://\(host)", "not\(host)", "\(host).evil.example"] {
          #expect(Catalogue.entry(owning: try #require(Server(name))) == nil, "\(name)")
        }
      }
    }
  }

  @Test func `a name that no source has is reported in one sentence`() throws {
    try Catalogue.expect(.manual)
    let error = #expect(throws: UnknownSource.self) { try Catalogue.expect(SourceName(rawValue: "vimeo")) }
    #expect(error?.description == "this version of media has no source \"vimeo\": install the newer version")
    #expect(error?.exitCode == .configuration)
  }

  @Test func `code outside the folders of the sources names no source`() throws {
    let sources = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(path: "../../Sources")
      .standardized
    let names = Catalogue.entries.map(\.name.rawValue).joined(separator: "|")
    let pattern = try Regex("(SourceName|[sS]ource(:| ==| !=) ?)\\.(\(names))\\b(?! *\\()")
    let files = try #require(FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil))
    var found: [String] = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let path = file.path.dropFirst(sources.path.count + 1)
      if path.hasPrefix("Services/") || path.hasPrefix("DemoServer/") { continue }
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      found += lines.filter { $0.contains(pattern) }.map { "\(path): \($0)" }
    }
    #expect(found.isEmpty, "\(found)")
  }

  // MARK: What the source does

  private func api(of dialect: Dialect) throws -> SourceAPI {
    try #require(Catalogue.entry(dialect.source)?.api(dialect.api, at: Dialect.server))
  }

  private func source(of dialect: Dialect, _ answering: Answering) throws -> any Source {
    try dialect.speaker(nil, answering.transport, .fixed(at: "2026-11-21T10:00:00Z"))
  }

  @Test(arguments: Dialect.all)
  func `posts have the identity rule of their source`(dialect: Dialect) async throws {
    let page = try await source(of: dialect, Answering(.success(dialect.first)))
      .page(of: dialect.feed, after: nil, size: nil)
    let rule = Catalogue.entry(dialect.source)?.identity
    #expect(page.items.compactMap(\.post).allSatisfy { $0.identity == rule })
  }

  @Test(arguments: Dialect.all)
  func `an identity does not depend on what stands beside the post`(dialect: Dialect) async throws {
    let first = try await source(of: dialect, Answering(.success(dialect.first)))
      .page(of: dialect.feed, after: nil, size: nil).items.compactMap(\.post?.uri)
    let broken = try await source(of: dialect, Answering(.success(dialect.broken)))
      .page(of: dialect.feed, after: nil, size: nil).items.compactMap(\.post?.uri)
    #expect(!broken.isEmpty && Set(broken).isSubset(of: first))
  }

  @Test(arguments: Dialect.all)
  func `no more posts are asked for than the bounds say`(dialect: Dialect) async throws {
    let most = try api(of: dialect).bounds.largestPage
    for size in [nil, 0, 1, 1_000_000] {
      let answering = Answering(.success(dialect.first))
      _ = try await source(of: dialect, answering).page(of: dialect.feed, after: nil, size: size)
      let request = try #require(answering.requests.first)
      let members = request.body.flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] } ?? [:]
      let query =
        (URLComponents(string: request.url)?.queryItems ?? [])
        + members.map { URLQueryItem(name: $0.key, value: "\($0.value)") }
      let counts = query.filter { ["limit", "count", "max_results", "per_page"].contains($0.name) }.compactMap {
        $0.value.flatMap(Int.init)
      }
      #expect(counts.allSatisfy { (1...(most ?? 1)).contains($0) }, "\(counts)")
      #expect(!query.contains { $0.value == "1000000" || $0.value == "0" })
      #expect(counts.isEmpty == (most == nil))
    }
  }

  @Test(arguments: Dialect.all)
  func `a source can what its descriptor says, and no more`(dialect: Dialect) async throws {
    let api = try api(of: dialect)
    let source = try source(of: dialect, Answering(.success(dialect.first)))
    #expect(source.mostLookedUp == api.bounds.mostLookedUp)
    #expect((source.cursor(below: "5") != nil) == api.abilities.contains(.continueBelowIDs))
    let above = try await source.page(of: dialect.feed, above: "5", size: nil)
    #expect((above != nil) == api.abilities.contains(.walkUp))
    let visit = try await source.page(of: dialect.feed, after: nil, size: nil).visit
    #expect((visit != nil) == api.abilities.contains(.recordVisits))
  }

  @Test(arguments: Dialect.all)
  func `a kind of feed that it does not have is not found, without a request`(dialect: Dialect) async throws {
    let api = try api(of: dialect)
    for kind in [Feed.Kind.tag, .user, .search, .url] where !api.kinds.contains(kind) {
      let answering = Answering(.success(dialect.first))
      let source = try source(of: dialect, answering)
      let feed = Feed(source: dialect.source, kind: kind, value: "cats", server: Dialect.server)
      let error = await #expect(throws: SourceError.self) { try await source.page(of: feed, after: nil, size: nil) }
      guard case .notFound? = error else {
        Issue.record("\(kind): \(String(describing: error))")
        continue
      }
      #expect(answering.requests.isEmpty)
    }
  }

  @Test(arguments: Dialect.all)
  func `a cursor of another source leads to no other server and to no other path`(dialect: Dialect) async throws {
    let home = Answering(.success(dialect.first))
    _ = try await source(of: dialect, home).page(of: dialect.feed, after: nil, size: nil)
    let path = URLComponents(string: try #require(home.requests.first).url)?.path
    for other in Dialect.all where other.source != dialect.source {
      let page = try await source(of: other, Answering(.success(other.first))).page(
        of: other.feed, after: nil, size: nil)
      guard case .after(let cursor) = page.next else { continue }
      let answering = Answering(.success(dialect.last))
      let source = try source(of: dialect, answering)
      do { _ = try await source.page(of: dialect.feed, after: cursor, size: nil) } catch {}
      for request in answering.requests {
        #expect(Dialect.server.owns(request.url))
        let isData = URLComponents(string: request.url)?.path == path
        #expect(isData || Catalogue.entry(dialect.source)?.isOfAddresses == true, "\(request.url)")
      }
    }
  }
}
