import FoundationEssentials
import Storage

/// Stores rate budgets: in the library, for all processes; only in memory if that cannot be written.
///
/// A full or read-only library does not block requests: from then on this process counts alone.
struct RateLedger: Sendable {
  private var store: Store?
  private var own: [RateKey: RateBudget] = [:]

  /// Creates the ledger of a library, or without `store` of this process alone.
  init(_ store: Store?) { self.store = store }

  /// The budget of a key; nil if its server never named a limit.
  mutating func rateBudget(of key: RateKey) -> RateBudget? {
    guard let store else { return own[key] }
    do { return try store.rateBudget(of: key) } catch {
      self.store = nil
      return nil
    }
  }

  /// Changes a budget atomically for all processes.
  mutating func change<Value>(_ key: RateKey, now: Date, _ change: (inout RateBudget?) -> Value) -> Value {
    if let store {
      do { return try store.changeRateBudget(of: key, now: now, change) } catch { self.store = nil }
    }
    return change(&own[key])
  }
}
