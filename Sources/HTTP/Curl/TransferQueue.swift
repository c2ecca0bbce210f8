/// Transfers of one kind: a first-in, first-out queue, and the number of those that run. A redirected transfer keeps
/// the slot of the host that it was first sent to.
struct TransferQueue {
  private let most: Int
  private let mostPerHost: Int
  private var waiting: [Transfer] = []
  private var active = 0
  private var activePerHost: [String: Int] = [:]

  init(most: Int, mostPerHost: Int) {
    (self.most, self.mostPerHost) = (most, mostPerHost)
  }

  mutating func enqueue(_ transfer: Transfer) { waiting.append(transfer) }

  /// Removes and returns the first transfer that may run now, and occupies a slot.
  mutating func next(where mayStart: (Transfer) -> Bool) -> Transfer? {
    guard active < most,
      let index = waiting.firstIndex(where: {
        activePerHost[$0.firstOrigin, default: 0] < mostPerHost && mayStart($0)
      })
    else { return nil }
    let transfer = waiting.remove(at: index)
    active += 1
    activePerHost[transfer.firstOrigin, default: 0] += 1
    return transfer
  }

  /// Frees the slot of a transfer that ran.
  mutating func release(_ transfer: Transfer) {
    active -= 1
    let left = activePerHost[transfer.firstOrigin, default: 1] - 1
    activePerHost[transfer.firstOrigin] = left == 0 ? nil : left
  }

  /// Removes a queued transfer.
  mutating func remove(_ transfer: Transfer) { waiting.removeAll { $0 === transfer } }

  /// Removes and returns all queued transfers.
  mutating func clear() -> [Transfer] {
    defer { waiting = [] }
    return waiting
  }
}
