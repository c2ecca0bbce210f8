import Hummingbird

/// The name of the server's software (https://github.com/jhass/nodeinfo/blob/main/PROTOCOL.md).
struct NodeInfoRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/.well-known/nodeinfo") { _, _ in
      let address = "\(serverState.origin)/nodeinfo/2.0"
      let link: JSON = ["rel": "http://nodeinfo.diaspora.software/ns/schema/2.0", "href": .text(address)]
      return Response(json: ["links": [link]])
    }
    router.get("/nodeinfo/2.0") { _, _ in
      let dialect = serverState.dialect
      let software: JSON = ["name": .text(dialect.software), "version": .text(dialect.version)]
      return Response(json: ["version": "2.0", "software": software, "protocols": ["activitypub"]])
    }
  }
}
