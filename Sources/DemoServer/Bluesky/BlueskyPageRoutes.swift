import Hummingbird
import Posts

/// The addresses of pages as Bluesky writes them, which lead to the pages of people, posts and tags.
struct BlueskyPageRoutes {
  func add(to router: Router<DemoContext>) {
    router.get("/hashtag/:tag") { _, context in
      Self.redirect(to: "/tags/\(try context.parameters.require("tag"))")
    }
    router.get("/profile/:handle") { _, context in Self.redirect(to: "/@\(try Self.person(context).acct)") }
    router.get("/profile/:handle/post/:key") { _, context in
      guard let id = BlueskyNames.id(try context.parameters.require("key")) else { throw HTTPError(.notFound) }
      return Self.redirect(to: "/@\(try Self.person(context).acct)/\(id)")
    }
  }

  private static func redirect(to path: String) -> Response { Response(status: .found, headers: [.location: path]) }

  private static func person(_ context: DemoContext) throws -> Person {
    guard let person = Person.bluesky(try context.parameters.require("handle").percentDecoded ?? "") else {
      throw HTTPError(.notFound)
    }
    return person
  }
}
