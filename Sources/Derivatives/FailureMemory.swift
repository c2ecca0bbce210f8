import Blobs
import FoundationEssentials

/// The blobs that have no derivatives, and why. A gallery asks for them each time it shows them, and each would cost a
/// decoder.
struct FailureMemory {
  private static let duration: TimeInterval = 3600
  private static let capacity = 10_000

  private var failures: [BlobID: (error: DerivativeError, until: Date)] = [:]

  /// Remembers a failure if it is one of the blob itself.
  mutating func remember(_ error: DerivativeError, of blob: BlobID, now: Date) {
    guard error.isLasting else { return }
    if failures.count >= Self.capacity { failures = failures.filter { $0.value.until > now } }
    if failures.count >= Self.capacity { failures.removeAll() }
    failures[blob] = (error, now.addingTimeInterval(Self.duration))
  }

  /// Why a blob has no derivatives; nil if it is to be tried.
  func failure(of blob: BlobID, now: Date) -> DerivativeError? {
    guard let failure = failures[blob], failure.until > now else { return nil }
    return failure.error
  }
}
