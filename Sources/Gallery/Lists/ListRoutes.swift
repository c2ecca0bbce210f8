import Hummingbird
import MediaLibrary

/// Lists, as a page and as windows in JSON, and what can complete their filters.
struct ListRoutes: Sendable {
  let parts: GalleryParts

  /// As many as one request that marks them may name.
  private static let mostSelected = 100_000

  func add(to router: Router<GalleryContext>) {
    router.get("/") { [isReadOnly = parts.isReadOnly] request, _ in
      var window = try WindowRequest(request.fields)
      window.isSoon = true
      var mistake: ListPage.Mistake?
      do throws(RequestError) { _ = try window.address.filter() } catch {
        // The field keeps what was typed. The list is the one without it.
        mistake = ListPage.Mistake(typed: window.address.search ?? "", error: error)
        window.address.search = nil
      }
      let (page, shown) = try await parts.read { [window, mistake] library in
        var (window, mistake) = (window, mistake)
        let rows: ListWindow
        do { rows = try window.snapshot(in: library, isOwners: !isReadOnly) } catch {
          guard let error = error as? StorageError, case .unusableSearch = error else { throw error }
          mistake = ListPage.Mistake(typed: window.address.search ?? "", error: .badSearch(error))
          window.address.search = nil
          rows = try window.snapshot(in: library, isOwners: !isReadOnly)
        }
        let page = ListPage(
          window: window, snapshot: rows, isReadOnly: isReadOnly,
          lists: isReadOnly ? ListLinks() : try ListLinks(in: library.store, at: window.address), mistake: mistake)
        return (page.html, mistake)
      }
      return parts.page(page, status: shown?.error.status ?? .ok).withForm
    }
    router.get("/api/list") { [isReadOnly = parts.isReadOnly] request, _ in
      let window = try WindowRequest(request.fields)
      return Response(
        json: try await parts.read {
          WindowAnswer(
            try window.snapshot(in: $0, isOwners: !isReadOnly), of: window.address, textLength: window.textLength,
            showsMarks: !isReadOnly)
        })
    }
    router.get("/api/position") { [isOwners = !parts.isReadOnly] request, _ in
      let address = ListAddress(request.fields)
      guard let id = request.fields["at"].flatMap({ Int64($0) }) else {
        throw RequestError.badParameter("at", must: "the number of a post")
      }
      return Response(json: [
        "position": try await parts.read { try address.position(of: id, in: $0, isOwners: isOwners) }
      ])
    }
    router.get("/api/places") { [isReadOnly = parts.isReadOnly] _, _ in
      if isReadOnly { throw RequestError.privateMarks }
      let named = try await parts.sideList.value(for: true) { try await parts.read { try ListLinks.places(in: $0) } }
      return Response(json: named)
    }
    router.get("/api/offers") { [isReadOnly = parts.isReadOnly] request, _ in
      let completion = FilterCompletion(of: request.fields["q"] ?? "")
      let offers = try await parts.read { library in
        try completion.offers { key, beginning in
          isReadOnly && key.asksMarks ? [] : try library.store.names(of: key, beginningWith: beginning)
        }
      }
      return Response(json: ["offers": offers])
    }
    router.get("/api/months") { [isOwners = !parts.isReadOnly] request, _ in
      let address = ListAddress(request.fields)
      let months = try await parts.months.value(for: MonthsKey(list: address, showsPlanned: false)) {
        try await parts.read {
          try $0.store.months(
            of: address.list(in: $0, isOwners: isOwners).listed(at: $0.now()), in: .autoupdatingCurrent)
        }
      }
      return Response(json: MonthsAnswer(months))
    }
    router.get("/api/ids") { [isOwners = !parts.isReadOnly] request, _ in
      let address = ListAddress(request.fields)
      let ends = ["from", "to"].compactMap { request.fields[$0].map { Int64($0) } }
      guard ends.count != 1, !ends.contains(nil) else {
        throw RequestError.badParameter("from and to", must: "the numbers of posts")
      }
      let ids = try await parts.read {
        try address.members(
          from: ends.first ?? nil, to: ends.last ?? nil, atMost: Self.mostSelected, in: $0, isOwners: isOwners)
      }
      guard ids.count <= Self.mostSelected else {
        throw RequestError.badParameter("a list that is selected", must: "of at most 100,000 posts")
      }
      return Response(json: ["ids": ids])
    }
    router.get("/api/deleted") { [isOwners = !parts.isReadOnly] request, _ in
      let address = ListAddress(request.fields)
      return Response(
        json: try await parts.read {
          ["ids": try $0.store.deletedPosts(of: try address.list(in: $0, isOwners: isOwners))]
        })
    }
  }
}
