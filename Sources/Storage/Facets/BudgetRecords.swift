import FoundationEssentials
import Posts

/// Keeps what servers allow, for all processes that use the library.
///
/// No two processes interleave a change: what one reserved, no other can spend. All times are the caller's.
public protocol BudgetRecords: Sendable {
  /// The stored id of a hashtag at a server.
  ///
  /// - Returns: The id, or nil if it was never looked up.
  /// - Throws: `StorageError` if the library cannot be read.
  func hashtagID(_ name: String, at server: Server) throws(StorageError) -> String?

  /// Stores the id of a hashtag at a server.
  ///
  /// - Throws: `StorageError` if the library cannot be written.
  func keepHashtag(_ name: String, id: String, at server: Server) throws(StorageError)

  /// Records that an account is about to request a hashtag, unless its budget is used up.
  ///
  /// The record is on disk when this returns, before the request: the server's count is never higher than this one,
  /// whatever happens then.
  ///
  /// - Parameters:
  ///   - name: The hashtag.
  ///   - account: The account.
  ///   - server: The server.
  ///   - allowance: The account's budget.
  ///   - now: The current time.
  /// - Returns: Whether the account may request it.
  /// - Throws: `StorageError` if the library cannot be written.
  func askHashtag(
    _ name: String, by account: String, at server: Server, _ allowance: HashtagBudget, now: Date
  ) throws(StorageError) -> HashtagGrant

  /// What a server allows, as far as it is known; nil if the server never said.
  func rateBudget(of key: RateKey) throws(StorageError) -> RateBudget?

  /// Changes a server's known limit in one transaction, which no other process can interleave. It writes only if
  /// something changed. It is not synced to the disk: after a power loss, the next answer states the limit again.
  ///
  /// - Parameters:
  ///   - key: The server, login and kind of request.
  ///   - now: The time of the change.
  ///   - change: Changes the budget; setting nil forgets it.
  /// - Returns: The value of `change`.
  func changeRateBudget<Value>(
    of key: RateKey, now: Date, _ change: (inout RateBudget?) -> Value
  ) throws(StorageError) -> Value
}
