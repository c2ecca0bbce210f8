import Hummingbird
import Posts
import Web

/// The page that gives a list as a feed, and the read tokens by which programs read feeds.
struct TokenRoutes: Sendable {
  let parts: GalleryParts
  let signIns: SignIns
  let origin: FeedOrigin

  private struct Wanted: Decodable {
    let name: String
    /// The parameters of the list.
    let list: String
  }

  private struct Number: Decodable { let id: Int }

  private static let mostBytes = 16 << 10

  func add(to router: Router<GalleryContext>) {
    router.get("/feeds") { request, _ in
      let list = ListAddress(request.fields)
      let title = try await parts.read { try FeedPage.title(of: list, in: $0) }
      let tokens = try await signIns.readTokens()
      return parts.page(FeedsPage(list: list, title: title, tokens: tokens, isReadOnly: parts.isReadOnly).html)
    }
    router.post("/api/feeds") { request, context in
      let example = #"JSON such as {"name":"my reader","list":"tag=cats"}"#
      let wanted = try await request.object(Wanted.self, upTo: Self.mostBytes, must: example)
      let name = String(wanted.name.trimmingWhiteSpace.prefix(100))
      guard !name.isEmpty else { throw RequestError.badParameter("name", must: "what you call the reader") }
      let fields = Fields(form: wanted.list)
      // Refuses a list that cannot be, before there is a token for it.
      _ = try await parts.read { try ListAddress(fields).list(in: $0) }
      let (token, record) = try await signIns.newReadToken(named: name)
      let server = origin.text(request, context)
      func link(_ format: FeedFormat) throws -> String {
        var fields = Fields(form: ListAddress(fields).query)
        fields.add("token", token)
        return try FeedRequest(fields, format, origin: server).link()
      }
      // The addresses have the token, and are shown once.
      let made: JSONMembers = ["id": record.id, "atom": try link(.atom), "json": try link(.json)]
      return Response(json: made)
    }
    router.post("/api/feeds/revoke") { request, _ in
      let number = try await request.object(Number.self, upTo: Self.mostBytes, must: #"JSON such as {"id":1}"#)
      return Response(json: ["revoked": try await signIns.revokeReadToken(number.id)])
    }
  }
}
