import Hummingbird
import MediaLibrary
import Storage
import Web

/// A post, as a page.
struct PostRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/post/:id") { request, context in
      let id = try context.number("id")
      let page = try await parts.read { library in
        guard let post = try library.store.post(id) else { throw RequestError.noPost(id) }
        return WholePostPage(whole: post, address: ListAddress(request.fields)).html
      }
      return Response(html: page)
    }
  }
}

extension GalleryContext {
  /// A number in the path.
  func number(_ name: String) throws -> Int64 {
    guard let number = Int64(try parameters.require(name)) else { throw RequestError.nothingHere }
    return number
  }
}
