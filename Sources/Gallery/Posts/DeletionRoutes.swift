import FoundationEssentials
import Hummingbird
import MediaLibrary

/// Deletes and restores posts.
struct DeletionRoutes: Sendable {
  let parts: GalleryParts

  private struct Numbers: Decodable { let ids: [Int64] }

  private struct Answer: Encodable {
    /// The posts that changed.
    let changed: [Int64]
    /// The numbers that no post has.
    let unknown: [Int64]
  }

  func add(to router: Router<GalleryContext>) {
    router.post("/api/delete") { request, _ in try await change(request) { try $0.delete($1) } }
    router.post("/api/restore") { request, _ in try await change(request) { try $0.restore($1) } }
  }

  private func change(
    _ request: Request, _ work: @escaping @Sendable (Library, [Int64]) throws -> Deletion
  ) async throws -> Response {
    let body = try await request.body.collect(upTo: 1 << 20)
    guard let numbers = try? JSONDecoder().decode(Numbers.self, from: Data(buffer: body)) else {
      throw RequestError.badParameter("the body", must: #"JSON such as {"ids":[17]}"#)
    }
    let deletion = try await parts.read { try work($0, numbers.ids) }
    return Response(json: Answer(changed: deletion.changed, unknown: deletion.unknown))
  }
}
