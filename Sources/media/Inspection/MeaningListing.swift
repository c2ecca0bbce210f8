import Blobs
import Derivatives
import Storage

/// Finds the posts of a list that mean what somebody asks for, by the embeddings of a model.
struct MeaningListing {
  /// The maximum number of posts.
  static let most = 100

  let store: Store
  /// The posts to choose from.
  let list: PostListQuery
  /// The maximum number of posts to return.
  let limit: Int

  /// The posts that mean nearly the same as words, the nearest first.
  ///
  /// - Parameters:
  ///   - words: The words.
  ///   - model: The model that the person chose; nil if they chose none.
  func posts(meaning words: String, by model: ModelProgram?) async throws -> [(post: StoredPost, score: Double)] {
    guard let model else {
      throw UsageError("no model is chosen", cure: "\"media settings look COMMAND\" names the program of one")
    }
    let (asked, wanted): (ModelProgram.Model, Embedding)
    do throws(DerivativeError) {
      asked = try await model.model()
      guard asked.embedsTexts else {
        throw .unavailable("\(asked.name.text) does not know what words mean")
      }
      wanted = try await model.embedding(of: words)
    } catch {
      throw Self.error(error)
    }
    guard let number = try store.number(of: asked.name) else {
      throw UsageError(
        "\(asked.name.text) has looked at nothing yet",
        cure: "\"media look --only model\" lets it look, in place of another model that did")
    }
    return try posts(alike: wanted, by: number, in: asked.embedsPictures ? .pictures : .texts)
  }

  /// The posts whose pictures mean nearly the same as the first one of a post, the nearest first.
  func posts(meaningOf post: Int64) throws -> [(post: StoredPost, score: Double)] {
    guard try store.post(post) != nil else { throw StorageError.unknownPosts([post]) }
    guard let model = try store.currentModel() else {
      throw UsageError(
        "no model has looked at this library", cure: "\"media settings look COMMAND\" and \"media look\" let one look")
    }
    guard let wanted = try store.embedding(ofPost: post, by: model) else {
      throw UsageError(
        "no model knows what the pictures of post \(post) mean", cure: "\"media look\" lets it look")
    }
    return try posts(alike: wanted, by: model, in: .pictures)
  }

  private func posts(
    alike wanted: Embedding, by model: Int64, in part: EmbeddedPart
  ) throws -> [(post: StoredPost, score: Double)] {
    let found = try store.posts(alike: wanted, by: model, in: part, of: list, atMost: min(limit, Self.most))
    let posts = try store.posts(numbered: found.map(\.post))
    let numbered = Dictionary(posts.map { ($0.id, $0) }) { $1 }
    return found.compactMap { one in numbered[one.post].map { ($0, one.score) } }
  }

  private static func error(_ error: DerivativeError) -> any Error {
    switch error {
    case .unavailable(let reason), .undecodable(let reason):
      UsageError("the model cannot be asked: \(reason)", cure: "\"media settings look\" shows its command")
    case .missing, .sound, .superseded, .cancelled: CancellationError()
    }
  }
}
