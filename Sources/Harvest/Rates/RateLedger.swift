import Foundation
import Storage

/// Where allowances stand: in the library, for all processes; in memory alone where that cannot be written.
///
/// A library that is full or read-only holds no request up: from then on this process keeps its own account.
struct RateLedger: Sendable {
  private var store: Store?
  private var own: [RateKey: Allowance] = [:]

  /// The ledger of a library, or of this process alone.
  init(_ store: Store?) { self.store = store }

  /// What is known of a key; nil where its server never told a limit.
  mutating func allowance(of key: RateKey) -> Allowance? {
    guard let store else { return own[key] }
    do { return try store.allowance(of: key) } catch {
      self.store = nil
      return nil
    }
  }

  /// Changes what is known, at once for all.
  mutating func change<Value>(_ key: RateKey, now: Date, _ change: (inout Allowance?) -> Value) -> Value {
    if let store {
      do { return try store.changeAllowance(of: key, now: now, change) } catch { self.store = nil }
    }
    return change(&own[key])
  }
}
