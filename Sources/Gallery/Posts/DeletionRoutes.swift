import FoundationEssentials
import Hummingbird
import Machine
import MediaLibrary

/// Deletes and restores posts.
struct DeletionRoutes: Sendable {
  let parts: GalleryParts

  private struct Numbers: Decodable {
    let ids: [Int64]
    /// What is undone: when the posts were deleted or restored. What was changed again since stays.
    let since: [String]?
  }

  private struct Answer: Encodable {
    /// The posts that changed.
    let changed: [Int64]
    /// The numbers that no post has.
    let unknown: [Int64]
    /// When they were changed, by which it is undone.
    let at: String
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
      if let since = numbers.since {
        return try store.takeBack(deletion: !isDeletion, of: ids, at: since.compactMap(UTC.date), now: now)
      }
      return try isDeletion ? store.delete(ids, now: now) : store.restore(ids, now: now)
    }
    return Response(
      json: Answer(changed: deletion.changed, unknown: deletion.unknown, at: UTC.text(deletion.time ?? now)))
  }
}
