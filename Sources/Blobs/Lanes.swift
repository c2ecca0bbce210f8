import Dispatch
import Synchronization

/// Runs calls that block side by side. Each lane has a thread only while it works.
public struct Lanes: Sendable {
  private let queues: [DispatchQueue]

  /// Lanes for so many calls at once.
  public init(_ count: Int) { queues = (0..<count).map { DispatchQueue(label: "media.blobs.\($0)") } }

  /// Runs a call for each item and waits for all of them.
  ///
  /// - Returns: The results, in the order of the items.
  public func map<Item: Sendable, Value: Sendable>(
    _ items: [Item], _ body: @Sendable (Item) throws(BlobError) -> Value
  ) -> [Result<Value, BlobError>] {
    if items.isEmpty { return [] }
    if items.count == 1 { return [Result { () throws(BlobError) in try body(items[0]) }] }
    let next = Atomic(0)
    let results = Mutex<[Result<Value, BlobError>?]>(Array(repeating: nil, count: items.count))
    withoutActuallyEscaping(body) { body in
      let group = DispatchGroup()
      for queue in queues.prefix(items.count) {
        queue.async(group: group) {
          while case let index = next.add(1, ordering: .relaxed).oldValue, index < items.count {
            let result = Result { () throws(BlobError) in try body(items[index]) }
            results.withLock { $0[index] = result }
          }
        }
      }
      group.wait()
    }
    return results.withLock { $0.compactMap(\.self) }
  }
}
