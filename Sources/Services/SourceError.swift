import FoundationEssentials
import Posts

/// Why a source returned no page. Callers react to each case differently.
public enum SourceError: Error, Equatable {
  /// The server shows this only after a login (401, 403, and 422 if a user is missing).
  case needsLogin(Server)
  /// The server rejects the token.
  case tokenRefused(Server)
  /// The server knows the account and does not show this to it.
  case forbidden(Server, reason: String)
  /// Too many requests: when to try again, if the server says, and when it was asked.
  case rateLimited(Server, until: Date?, asked: Date)
  /// The answer is not what the API promises.
  case unreadable(Server, reason: String)
  /// The tag, user or post does not exist, or no longer (404, 410).
  case notFound(Server, what: String)
  /// The server says that it is permanently gone (410), so it need not be requested again.
  case gone(Server, what: String)
  /// The server shows it only to some, and this source has no login (401, 403).
  case closed(Server, what: String, reason: String)
  /// The address is that of a page that names no feed.
  case noFeed(Server)
  /// The server lets nobody search its posts, or not this account.
  case searchIsOff(Server)
  /// The server cannot be reached.
  case unreachable(Server, reason: String)
  /// The server answers without TLS.
  case noTLS(Server)
  /// The server's certificate is not trusted.
  case untrusted(Server, reason: String)
  /// A protection before the server refused this program, whoever asks.
  case blocked(Server)
  /// The server runs software that its source does not speak with.
  case otherSoftware(Server, name: String)
  /// The server fails (5xx), after the retries.
  case serverFailed(Server, status: Int)
  /// The account used up its hashtags: the refused one, when it can be requested if known, when it was requested, and
  /// those available meanwhile.
  case tagsSpent(Server, tag: String?, until: Date?, asked: Date, others: [String])
  /// The rest of the budget does not cover the next page at its highest price.
  case budgetSpent(Server, left: Price, next: Price)
  /// The rest of the budget does not cover one more lookup at its highest price.
  case lookUpsSpent(Server, left: Price, next: Price)
  /// A source could not read or write its stored state on this machine.
  case unkept(reason: String)
  /// The pull was cancelled.
  case cancelled
}
