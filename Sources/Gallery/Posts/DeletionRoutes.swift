import FoundationEssentials
import Hummingbird
import Machine
import MediaLibrary

/// Deletes and restores posts.
struct DeletionRoutes: Sendable {
  let parts: GalleryParts

  private struct Numbers: Decodable {
    let ids: [Int64]
    /// The number of the change that is undone, in place of the posts. What was changed again since stays.
    let undoes: Int64?
  }

  private struct Answer: Encodable {
    /// The posts that changed.
    let changed: [Int64]
    /// The numbers that no post has.
    let unknown: [Int64]
    /// By what it is undone; nil if nothing changed.
    let change: Int64?
  }

  func add(to router: Router<GalleryContext>) {
    router.post("/api/delete") { request, _ in try await change(request, isDeletion: true) }
    router.post("/api/restore") { request, _ in try await change(request, isDeletion: false) }
  }

  private func change(_ request: Request, isDeletion: Bool) async throws -> Response {
    let body = try await request.body.collect(upTo: 1 << 20)
    guard let numbers = try? JSONDecoder().decode(Numbers.self, from: Data(buffer: body)) else {
      throw RequestError.badParameter("the body", must: #"JSON such as {"ids":[17]}"#)
    }
    let now = parts.now()
    let deletion = try await parts.read { library in
      let (store, ids) = (library.store, numbers.ids)
      let marker = MarkRoutes.marker
      if let change = numbers.undoes {
        return Deletion(changed: try store.undo(change, by: marker, now: now)?.posts ?? [])
      }
      return try isDeletion ? store.delete(ids, by: marker, now: now) : store.restore(ids, by: marker, now: now)
    }
    return Response(
      json: Answer(changed: deletion.changed, unknown: deletion.unknown, change: deletion.change))
  }
}
