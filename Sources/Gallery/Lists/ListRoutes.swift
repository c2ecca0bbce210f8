import Hummingbird
import MediaLibrary

/// Lists, as a page and as windows in JSON.
struct ListRoutes: Sendable {
  let parts: GalleryParts

  private struct Numbers: Encodable { let ids: [Int64] }

  func add(to router: Router<GalleryContext>) {
    router.get("/") { [isReadOnly = parts.isReadOnly] request, _ in
      let window = try WindowRequest(request.fields)
      let page = try await parts.read { library in
        ListPage(window: window, snapshot: try window.snapshot(in: library), isReadOnly: isReadOnly).html
      }
      return parts.page(page)
    }
    router.get("/api/list") { request, _ in
      let window = try WindowRequest(request.fields)
      return Response(
        json: try await parts.read { WindowAnswer(try window.snapshot(in: $0), textLength: window.textLength) })
    }
    router.get("/api/months") { request, _ in
      let address = ListAddress(request.fields)
      let months = try await parts.months.value(for: MonthsKey(list: address, showsPlanned: false)) {
        try await parts.read {
          try $0.store.months(
            of: address.list(in: $0).withoutPlanned(at: $0.now()), in: .autoupdatingCurrent)
        }
      }
      return Response(json: MonthsAnswer(months))
    }
    router.get("/api/deleted") { request, _ in
      let address = ListAddress(request.fields)
      return Response(
        json: try await parts.read { Numbers(ids: try $0.store.deletedPosts(of: try address.list(in: $0))) })
    }
  }
}
