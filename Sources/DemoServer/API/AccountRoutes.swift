import Hummingbird

/// People (https://docs.joinmastodon.org/methods/accounts/).
struct AccountRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/api/v1/accounts/verify_credentials") { _, context in
      Response(json: serverState.wire.ownAccount(try context.person("read:accounts", "profile")))
    }
    router.get("/api/v1/accounts/lookup") { request, _ in
      let wire = serverState.wire
      guard let person = wire.person(request.query["acct"] ?? "") else { throw Refusal.notFound }
      return Response(json: wire.account(person))
    }
    router.get("/api/v1/accounts/relationships") { request, context in
      _ = try context.person("read:follows")
      let people = request.query.all("id").compactMap(Person.with(id:))
      return Response(json: .list(people.map(relationship)))
    }
    router.get("/api/v1/accounts/search") { request, _ in
      Response(json: .list(serverState.wire.people(matching: request.query["q"] ?? "")))
    }
    router.get("/api/v1/accounts/:id") { _, context in
      guard let person = Person.with(id: try context.parameters.require("id")) else { throw Refusal.notFound }
      return Response(json: serverState.wire.account(person))
    }
  }

  /// Nobody follows anybody here.
  private func relationship(_ person: Person) -> JSON {
    let flags = [
      "following", "showing_reblogs", "notifying", "followed_by", "blocking", "blocked_by", "muting",
      "muting_notifications", "requested", "requested_by", "domain_blocking", "endorsed",
    ]
    return .object([("id", .text(String(person.id)))] + flags.map { ($0, .bool(false)) } + [("note", "")])
  }
}

extension Wire {
  /// The person of a handle, with this server's own name or without it.
  func person(_ handle: String) -> Person? {
    let own = "@" + domain
    return Person.named(handle.hasSuffix(own) ? String(handle.dropLast(own.count)) : handle)
  }

  func people(matching text: String) -> [JSON] {
    let wanted = text.drop { $0 == "@" }.lowercased()
    guard !wanted.isEmpty else { return [] }
    if let exact = person(text) { return [account(exact)] }
    return Person.everyone.filter { $0.acct.contains(wanted) || $0.name.lowercased().contains(wanted) }.map(account)
  }
}
