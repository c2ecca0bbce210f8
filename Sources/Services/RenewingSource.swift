import HTTP
import Posts
import Synchronization

/// A source that goes on with a renewed token once the server no longer takes the one it had. Some tokens live two hours, and
/// pulls last longer.
final class RenewingSource: Source {
  private let make: @Sendable (Secret?) -> any Source
  private let renew: @Sendable () async -> Secret?
  private let current: Mutex<(token: Secret?, source: any Source)>

  /// Creates a source that begins with a token.
  ///
  /// - Parameters:
  ///   - token: The token.
  ///   - renew: Returns the login's token of this moment; nil if it cannot be renewed.
  ///   - make: Creates the source with a token.
  init(
    _ token: Secret?, renew: @escaping @Sendable () async -> Secret?,
    make: @escaping @Sendable (Secret?) -> any Source
  ) {
    (self.make, self.renew) = (make, renew)
    current = Mutex((token, make(token)))
  }

  private var source: any Source { current.withLock { $0.source } }

  /// Does something, and once more with another token if the first one was refused and there is another.
  private func renewing<Value>(
    _ body: (any Source) async throws(SourceError) -> Value
  ) async throws(SourceError) -> Value {
    let (token, source) = current.withLock { $0 }
    do { return try await body(source) } catch {
      guard case .tokenRefused = error, let other = await renew(), other != token else { throw error }
      let renewed = make(other)
      current.withLock { $0 = (other, renewed) }
      return try await body(renewed)
    }
  }

  func page(of feed: Feed, after cursor: Cursor?, size: Int?) async throws(SourceError) -> Page {
    try await renewing { (source) async throws(SourceError) in
      try await source.page(of: feed, after: cursor, size: size)
    }
  }

  func page(
    of feed: Feed, after cursor: Cursor?, size: Int?, since visit: Visit?
  ) async throws(SourceError) -> Page {
    try await renewing { (source) async throws(SourceError) in
      try await source.page(of: feed, after: cursor, size: size, since: visit)
    }
  }

  func page(of feed: Feed, above id: String, size: Int?) async throws(SourceError) -> Page? {
    try await renewing { (source) async throws(SourceError) in
      try await source.page(of: feed, above: id, size: size)
    }
  }

  func cursor(below id: String) -> Cursor? { source.cursor(below: id) }

  var mostLookedUp: Int? { source.mostLookedUp }

  func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    try await renewing { (source) async throws(SourceError) in try await source.lookUp(ids) }
  }
}
