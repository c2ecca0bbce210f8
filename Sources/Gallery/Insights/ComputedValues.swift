import Storage

/// Values whose computation takes long in a large library. Each is computed once for a state of the library, however many
/// requests ask for it at the same time.
actor ComputedValues<Key: Hashable & Sendable, Value: Sendable> {
  private struct Entry {
    let position: ChangePosition
    let task: Task<Value, any Error>
  }

  private let position: @Sendable () async throws -> ChangePosition
  private let limit: Int
  private var entries: [Key: Entry] = [:]
  /// The keys, the one that was asked for last at the end.
  private var order: [Key] = []

  /// - Parameters:
  ///   - limit: The maximum number of values that are kept.
  ///   - position: Reads the library's position.
  init(limit: Int = 16, position: @escaping @Sendable () async throws -> ChangePosition) {
    (self.limit, self.position) = (limit, position)
  }

  /// The value for a key, computed by `compute` unless it is known for the library as it is now.
  func value(for key: Key, _ compute: @escaping @Sendable () async throws -> Value) async throws -> Value {
    // Read before the value: a change between the two makes the value newer than its position, never older.
    let now = try await position()
    if let known = entries[key], known.position == now {
      touch(key)
      return try await known.task.value
    }
    // The computation belongs to all who wait for it, so it goes on when the first of them leaves.
    let entry = Entry(position: now, task: Task { try await compute() })
    entries[key] = entry
    touch(key)
    do { return try await entry.task.value } catch {
      if entries[key]?.position == now { entries[key] = nil }
      throw error
    }
  }

  private func touch(_ key: Key) {
    order.removeAll { $0 == key }
    order.append(key)
    while order.count > limit { entries[order.removeFirst()] = nil }
  }
}
