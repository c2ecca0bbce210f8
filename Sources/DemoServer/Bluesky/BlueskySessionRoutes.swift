import HTTPTypes
import Hummingbird
import Web

/// Logins, and what the directory says of accounts.
struct BlueskySessionRoutes {
  let serverState: ServerState
  let sessions: BlueskySessions

  /// The code that those who want one are sent. There is no mail here, so everybody may know it.
  static let code = "DEMO1-CODE2"

  func add(to router: Router<DemoContext>) {
    router.post("/xrpc/com.atproto.server.createSession") { request, _ in
      let fields = try await request.fields()
      // Only this server's own people can log in here.
      guard let person = fields["identifier"].flatMap(Person.bluesky), person.host == nil,
        fields["password"] == AuthorizeRoutes.password
      else { throw BlueskyRefusal.badPassword }
      if person.wantsMailCode {
        guard let code = fields["authFactorToken"] else { throw BlueskyRefusal.wantsCode }
        guard code == Self.code else { throw BlueskyRefusal.badToken }
      }
      return session(of: person)
    }
    router.post("/xrpc/com.atproto.server.refreshSession") { request, _ in
      session(of: try sessions.close(request, at: serverState.now()))
    }
    router.post("/xrpc/com.atproto.server.deleteSession") { request, _ in
      _ = try sessions.close(request, at: serverState.now())
      return Response(status: .ok)
    }
    router.get("/xrpc/com.atproto.server.describeServer") { _, _ in
      Response(json: ["did": "did:web:localhost", "availableUserDomains": [".test"]])
    }
    router.get("/xrpc/com.atproto.server.getSession") { request, _ in
      let person = try sessions.person(of: request, to: serverState.origin, at: serverState.now())
      return Response(json: ["handle": .text(person.blueskyHandle), "did": .text(person.did), "active": true])
    }
    router.get("/xrpc/com.atproto.identity.resolveHandle") { request, _ in
      guard let person = request.query["handle"].flatMap(Person.bluesky) else {
        throw BlueskyRefusal.invalid("Unable to resolve handle")
      }
      return Response(json: ["did": .text(person.did)])
    }
    router.get("/did:plc:{id}") { _, context in
      guard let person = Person.bluesky("did:plc:\(try context.parameters.require("id"))") else {
        throw HTTPError(.notFound)
      }
      return Response(json: document(of: person))
    }
  }

  private func session(of person: Person) -> Response {
    let pair = sessions.open(person, at: serverState.now())
    return Response(json: [
      "accessJwt": .text(pair.access), "refreshJwt": .text(pair.refresh), "handle": .text(person.blueskyHandle),
      "did": .text(person.did), "didDoc": document(of: person), "active": true,
    ])
  }

  private func document(of person: Person) -> JSON {
    let home = person.host.map { "https://\($0)" } ?? serverState.origin
    return [
      "id": .text(person.did), "alsoKnownAs": [.text("at://\(person.blueskyHandle)")],
      "service": [
        ["id": "#atproto_pds", "type": "AtprotoPersonalDataServer", "serviceEndpoint": .text(home)]
      ],
    ]
  }
}
