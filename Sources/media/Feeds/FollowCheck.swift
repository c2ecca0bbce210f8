import Harvest
import Posts
import Services
import Storage

/// Asks a server once whether it has a feed that is to be followed.
struct FollowCheck: Sendable {
  let console: Console
  let library: LibraryOpener
  let logins: AccountChooser
  let pulls: PullFactory
  let discovery: FeedDiscovery

  /// Does not ask for a feed of which something came before, for an address, which was asked to be found, nor a server that
  /// charges for posts. A server that has no time now may have the feed.
  ///
  /// - Returns: The feed, at the server that speaks for its accounts.
  /// - Throws: `SourceError` or `LoginAdvice` if the server was not reached, or does not show the feed.
  func run(_ feed: Feed) async throws -> Feed {
    guard feed.kind != .url else { return feed }
    let store = try library.openStore()
    defer { store.close() }
    guard try store.follow(of: feed) == nil, try !store.isKnown(feed) else { return feed }
    do {
      try await Interruption.guarding { try await ask(feed, store) }
      return feed
    } catch let failure as SourceError {
      let other = try await Interruption.guarding {
        let other = try await discovery.feed(insteadOf: feed, after: failure, in: store, say: console.message)
        if let other { try await ask(other, store) }
        return other
      }
      if let other { return other }
      switch failure {
      case .rateLimited, .serverFailed, .tagsSpent: console.message("media: \(failure.summary): it is followed unasked")
      default: throw logins.advised(failure, of: feed, by: try store.api(of: feed))
      }
      return feed
    }
  }

  private func ask(_ feed: Feed, _ store: Store) async throws {
    let login = try await logins.login(for: feed)
    guard try SourceAPI.chosen(for: feed, as: login, in: store).prices == nil else { return }
    let (source, rates) = try pulls.preview(of: feed, as: login, in: store, isFinding: true)
    let answer: Result<Page, SourceError>
    do throws(SourceError) {
      // As a pull asks, which may need the answer.
      answer = .success(try await source.page(of: feed, after: nil, size: nil))
    } catch { answer = .failure(error) }
    await rates.giveBack()
    _ = try answer.get()
  }
}

/// A feed that is not followed, because its server was asked and did not show it.
struct FollowRefused: ExplainedError {
  let failure: any ExplainedError

  var summary: String { failure.summary }
  var cure: String? {
    let otherwise = "--unchecked follows it without asking"
    return failure.cure.map { "\($0); \(otherwise)" } ?? otherwise
  }
  var exitCode: ExitCode { failure.exitCode }
  var loginServer: Server? { failure.loginServer }
}
