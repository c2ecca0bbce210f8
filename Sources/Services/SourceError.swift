import Foundation
import Posts

/// Why a source gave no page. Each case has its own reaction.
public enum SourceError: Error, Equatable {
  /// The server shows this only to people who logged in (401, 403 and 422 for want of a user).
  case needsLogin(Server)
  /// The token is not, or no longer, accepted.
  case tokenRefused(Server)
  /// The server knows the account and will not show this to it.
  case forbidden(Server, reason: String)
  /// Too many requests; when to come back, where the server says, and when it was asked.
  case rateLimited(Server, until: Date?, asked: Date)
  /// The answer is not what the API promises.
  case unreadable(Server, reason: String)
  /// No such tag, user or post, or no longer (404, 410).
  case notFound(Server, what: String)
  /// It was there and the server says that it is gone for good (410): it need not be asked for again.
  case gone(Server, what: String)
  /// The server shows it only to some, and there is no login that this source could ask for (401, 403).
  case closed(Server, what: String, reason: String)
  /// What lies there is a page that names no feed.
  case noFeed(Server)
  /// The server cannot be reached.
  case unreachable(Server, reason: String)
  /// The server fails (5xx), after the retries.
  case serverFailed(Server, status: Int)
  /// The account asked for as many hashtags as it may: which one it is about, from when on it can be asked for, where
  /// that is known, when it was asked for, and those that can be asked for meanwhile.
  case tagsSpent(Server, tag: String?, until: Date?, asked: Date, others: [String])
  /// What is left to spend does not do for the next page, whatever comes on it.
  case budgetSpent(Server, left: Price, next: Price)
  /// What is left to spend does not do for looking one more post up, whatever is shown of it.
  case lookUpsSpent(Server, left: Price, next: Price)
  /// What a source has to remember could not be read or written here.
  case unkept(reason: String)
  /// The pull was stopped.
  case cancelled
}
