import Hummingbird
import MediaLibrary

/// Lists, as a page and as windows in JSON.
struct ListRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/") { request, _ in
      let window = try WindowRequest(request.fields)
      let page = try await parts.read { library in
        ListPage(address: window.address, snapshot: try window.snapshot(in: library)).html
      }
      return Response(html: page)
    }
    router.get("/api/list") { request, _ in
      let window = try WindowRequest(request.fields)
      return Response(json: try await parts.read { WindowAnswer(try window.snapshot(in: $0)) })
    }
  }
}
