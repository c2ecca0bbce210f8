/// Transfers of one kind: those that wait, first come first served, and how many run. One that is redirected keeps the
/// place it has at the host it was first sent to.
struct Lane {
  private let most: Int
  private let mostPerHost: Int
  private var waiting: [Transfer] = []
  private var active = 0
  private var activePerHost: [String: Int] = [:]

  init(most: Int, mostPerHost: Int) {
    (self.most, self.mostPerHost) = (most, mostPerHost)
  }

  mutating func wait(_ transfer: Transfer) { waiting.append(transfer) }

  /// Takes the first that may run now, and its place.
  mutating func next() -> Transfer? {
    guard active < most,
      let place = waiting.firstIndex(where: { activePerHost[$0.firstOrigin, default: 0] < mostPerHost })
    else { return nil }
    let transfer = waiting.remove(at: place)
    active += 1
    activePerHost[transfer.firstOrigin, default: 0] += 1
    return transfer
  }

  /// Gives back the place of one that ran.
  mutating func leave(_ transfer: Transfer) {
    active -= 1
    let left = activePerHost[transfer.firstOrigin, default: 1] - 1
    activePerHost[transfer.firstOrigin] = left == 0 ? nil : left
  }

  /// Takes one that waits out of the line.
  mutating func remove(_ transfer: Transfer) { waiting.removeAll { $0 === transfer } }

  /// Takes all that wait.
  mutating func clear() -> [Transfer] {
    defer { waiting = [] }
    return waiting
  }
}
