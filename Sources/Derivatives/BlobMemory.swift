import Blobs
import FoundationEssentials

/// What became of blobs for which there is no file, such as why they have no derivatives, for an hour. A gallery asks each
/// time it shows them, and each would cost a child.
struct BlobMemory<Value> {
  private var duration: TimeInterval { 3600 }
  private var capacity: Int { 10_000 }

  private var values: [BlobID: (value: Value, until: Date)] = [:]

  /// Remembers a value.
  mutating func remember(_ value: Value, of blob: BlobID, now: Date) {
    if values.count >= capacity { values = values.filter { $0.value.until > now } }
    if values.count >= capacity { values.removeAll() }
    values[blob] = (value, now.addingTimeInterval(duration))
  }

  /// The value of a blob; nil if none is known.
  func value(of blob: BlobID, now: Date) -> Value? {
    guard let value = values[blob], value.until > now else { return nil }
    return value.value
  }
}
