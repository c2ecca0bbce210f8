import Foundation
import HTTP
import Posts
import Services
import Synchronization
import Testing

/// Looks up posts by id at honest servers and at some whose answers are wrong.
struct LookUpTests {
  private static let server = Server("https://social.example")!
  private static let time = TimeSource.fixed(at: "2026-11-21T10:00:00Z")

  /// A server that answers by the path and query of a request, and remembers what it was asked.
  private final class Desk: Sendable {
    private let asked = Mutex<[String]>([])
    private let answer: @Sendable (String) -> Response

    init(_ answer: @escaping @Sendable (String) -> Response) { self.answer = answer }

    var paths: [String] { asked.withLock { $0 } }

    var transport: Transport {
      let send: @Sendable (Request) async throws(TransportError) -> Response = { [self] request in
        let path = String((request.url.removingPercentEncoding ?? "").trimmingPrefix(/https:\/\/[^\/]+/))
        asked.withLock { $0.append(path) }
        return answer(path)
      }
      return Transport(send: send, download: { request, _ throws(TransportError) in try await send(request) })
    }

    func mastodon(token: Secret? = nil) -> MastodonSource {
      MastodonSource(server: server, token: token, transport: transport, time: time)
    }
  }

  private static func status(_ id: String) -> String {
    #"{"id": "\#(id)", "uri": "https://social.example/\#(id)", "created_at": "2026-11-20T09:00:00Z", "content": "a"}"#
  }

  private static let missing = Response(status: 404, headers: [:], body: Array(#"{"error":"Record not found"}"#.utf8))

  private static func list(_ ids: [String]) -> Response {
    Response("[\(ids.map(status).joined(separator: ","))]")
  }

  private static func isList(_ path: String) -> Bool { path.hasPrefix("/api/v1/statuses?") }

  @Test func `posts are asked for in one request, and a missing one once more by itself`() async throws {
    let desk = Desk { Self.isList($0) ? Self.list(["1", "3", "9"]) : Self.missing }
    let looked = try await desk.mastodon().lookUp(["1", "2", "3"])
    #expect(looked.shown.map(\.id) == ["1", "3"])
    #expect(looked.gone == ["2"])
    #expect(desk.paths == ["/api/v1/statuses?id[]=1&id[]=2&id[]=3", "/api/v1/statuses/2"])
  }

  @Test func `a post that is shown under a new id is the answer to the one that was asked for`() async throws {
    let desk = Desk { Self.isList($0) ? Self.missing : Response(Self.status("2b")) }
    let looked = try await desk.mastodon().lookUp(["2a"])
    #expect(looked.shown.map(\.id) == ["2a"])
    #expect(looked.shown.compactMap(\.post?.remoteID) == ["2b"])
    #expect(looked.gone == [])
  }

  @Test func `of many missing ones four answer for all`() async throws {
    let desk = Desk { Self.isList($0) ? Self.list([]) : Self.missing }
    let ids = (1...20).map(String.init)
    #expect(try await desk.mastodon().lookUp(ids).gone.sorted() == ids.sorted())
    #expect(Array(desk.paths.dropFirst()) == [1, 7, 14, 20].map { "/api/v1/statuses/\($0)" })
  }

  @Test(arguments: [[], ["1", "2"]])
  func `a list that leaves out what is there is not believed, then or later`(listed: [String]) async throws {
    let desk = Desk { path in
      if Self.isList(path) { return Self.list(listed) }
      let id = path.split(separator: "/").last.map(String.init) ?? ""
      return id == "4" ? Self.missing : Response(Self.status(id))
    }
    let source = desk.mastodon()
    for _ in 0..<2 {
      let looked = try await source.lookUp(["1", "2", "3", "4", "5"])
      #expect(Set(looked.shown.compactMap(\.id)) == ["1", "2", "3", "5"])
      #expect(looked.gone == ["4"])
    }
    #expect(desk.paths.count { Self.isList($0) } == 1)
  }

  @Test(arguments: [404, 405, 400, 200])
  func `a server that has no list is asked one post at a time, and not for a list again`(status: Int) async throws {
    let desk = Desk { path in
      if Self.isList(path) { return Response(status: status, headers: [:], body: Array("<html>".utf8)) }
      return path.hasSuffix("/2") ? Self.missing : Response(Self.status("1"))
    }
    let source = desk.mastodon()
    for _ in 0..<2 {
      let looked = try await source.lookUp(["1", "2"])
      #expect((looked.shown.map(\.id), looked.gone) == (["1"], ["2"]))
    }
    #expect(desk.paths.count == 5)
  }

  @Test(arguments: [401, 403, 422])
  func `a refused account marks no post as gone`(status: Int) async throws {
    let refused = Response(status: status, headers: [:], body: [])
    await #expect(throws: SourceError.needsLogin(Self.server)) {
      try await Desk { _ in refused }.mastodon().lookUp(["1", "2"])
    }
    await #expect(throws: SourceError.needsLogin(Self.server)) {
      try await Desk { Self.isList($0) ? Self.list([]) : refused }.mastodon().lookUp(["1", "2"])
    }
  }

  @Test func `an id that is no part of a path is asked for nowhere`() async throws {
    let desk = Desk { _ in Self.missing }
    let looked = try await desk.mastodon().lookUp(["..", "a/b", "", "x?y"])
    #expect(looked.shown.isEmpty && looked.gone.isEmpty)
    #expect(desk.paths.isEmpty)
  }

  @Test func `an answer that is not a post decides nothing`() async throws {
    await #expect(throws: SourceError.self) {
      try await Desk { _ in Response("<html>") }.mastodon().lookUp(["1"])
    }
  }

  // MARK: X

  private func x(_ desk: Desk) -> XSource {
    XSource(server: Self.server, token: Secret("hush-hush"), transport: desk.transport, time: Self.time)
  }

  private static func tweet(_ id: String, versions: [String] = []) -> String {
    let history = versions.isEmpty ? [id] : versions
    return
      #"{"id": "\#(id)", "text": "a", "created_at": "2026-11-20T09:00:00.000Z", "edit_history_tweet_ids": \#(history)}"#
  }

  private static func problem(_ id: String, _ kind: String, of resource: String = "tweet") -> String {
    #"{"resource_id": "\#(id)", "resource_type": "\#(resource)", "type": "https://api.x.com/2/problems/\#(kind)"}"#
  }

  @Test func `at X a post that is gone is distinguished from one that it may not show`() async throws {
    let problems = [
      Self.problem("2", "resource-not-found"), Self.problem("3", "not-authorized-for-resource"),
      Self.problem("4", "resource-not-found", of: "user"),
    ]
    let errors = problems.joined(separator: ",")
    let desk = Desk { _ in Response(#"{"data": [\#(Self.tweet("1"))], "errors": [\#(errors)]}"#) }
    let looked = try await x(desk).lookUp(["1", "2", "3", "4"])
    #expect((looked.shown.map(\.id), looked.gone) == (["1"], ["2"]))
    #expect(desk.paths.count == 1)
    #expect(desk.paths[0].hasPrefix("/2/tweets?ids=1,2,3,4&expansions=author_id"))
    let none = Desk { _ in Response(#"{"errors": [\#(errors)]}"#) }
    #expect(try await x(none).lookUp(["2", "3"]).gone == ["2"])
  }

  @Test func `an edit of X stands under the id that was asked for`() async throws {
    let desk = Desk { _ in Response(#"{"data": [\#(Self.tweet("9", versions: ["5", "7", "9"]))]}"#) }
    let looked = try await x(desk).lookUp(["7"])
    #expect(looked.shown.map(\.id) == ["7"])
    #expect(looked.shown.first?.post?.uri.hasSuffix("/5") == true)
  }

  @Test func `the older API's missing posts are asked for one by one`() async throws {
    let desk = Desk { path in
      if path.hasPrefix("/2/") { return Response(status: 404, headers: [:], body: Array("no".utf8)) }
      if path.hasPrefix("/1.1/statuses/lookup") {
        return Response(#"[{"id_str": "1", "full_text": "a", "created_at": "Wed Aug 27 13:08:45 +0000 2025"}]"#)
      }
      let code = path.contains("id=2&") ? 144 : 179
      let body = #"{"errors": [{"code": \#(code), "message": "no"}]}"#
      return Response(status: code == 144 ? 404 : 403, headers: [:], body: Array(body.utf8))
    }
    let source = x(desk)
    for _ in 0..<2 {
      let looked = try await source.lookUp(["1", "2", "3"])
      #expect((looked.shown.map(\.id), looked.gone) == (["1"], ["2"]))
    }
    #expect(desk.paths.count { $0.hasPrefix("/2/") } == 1)
  }

  // MARK: Instagram

  @Test func `Instagram's first API is asked one post at a time`() async throws {
    let desk = Desk { path in
      let kind = path.hasSuffix("/2_9") ? "APINotFoundError" : "APINotAllowedError"
      if path.hasSuffix("/1_9") {
        return Response(
          #"{"meta": {"code": 200}, "data": {"id": "1_9", "link": "https://instagram.com/p/1/", "created_time": "1"}}"#)
      }
      let body = #"{"meta": {"code": 400, "error_type": "\#(kind)", "error_message": "no"}}"#
      return Response(status: 400, headers: [:], body: Array(body.utf8))
    }
    let source = InstagramSource(
      server: Self.server, token: Secret("hush-hush"), transport: desk.transport, time: Self.time)
    let looked = try await source.lookUp(["1_9", "2_9", "3_9"])
    #expect((looked.shown.map(\.id), looked.gone) == (["1_9"], ["2_9"]))
  }

  @Test func `a feed of documents has no post that could be asked for`() async throws {
    let desk = Desk { _ in Self.missing }
    let source = FeedSource(server: Self.server, token: nil, transport: desk.transport, time: Self.time)
    #expect(source.mostLookedUp == nil)
    let looked = try await source.lookUp(["1"])
    #expect(looked.shown.isEmpty && looked.gone.isEmpty && desk.paths.isEmpty)
  }
}
