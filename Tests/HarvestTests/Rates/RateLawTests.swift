import Foundation
import HTTP
import PropertyTesting
import Storage
import Testing

@testable import Harvest

/// Processes that use one server, in any order of sending, counting, answering, ending and being killed.
private struct Crowd {
  private struct Process {
    var hand = HeldRateLease()
    var rank: RateRank
    /// Sent and not counted yet; counted and not answered yet.
    var sent: [HeldRateLease.Ticket] = []
    var answers: [(HeldRateLease.Ticket, Response)] = []
  }

  private static let key = RateKey(host: "birds.example", login: "", kind: .page)

  private var dice: Dice
  private var ledger = RateLedger(nil)
  private var processes: [Process]
  private(set) var server: CountingServer
  private var now = noon

  init(seed: UInt64) {
    dice = Dice(state: seed)
    let limits = [3, 10, 24, 60, 300]
    server = CountingServer(limit: limits[dice.below(limits.count)], window: 900)
    server.ahead = [0, 3600, -7200][dice.below(3)]
    processes = (0..<1 + dice.below(5)).map { Process(rank: $0 == 0 ? .interactive : .background) }
    // Before the first answer no limit is known.
    if case .go(let ticket) = processes[0].hand.acquire(Self.key, .interactive, from: &ledger, now: now) {
      processes[0].hand.end(ticket, of: Self.key, with: server.answer(at: now), in: &ledger, now: now)
    }
  }

  mutating func step() {
    let index = dice.below(processes.count)
    switch dice.below(20) {
    case 0..<7: ask(index)
    case 7..<12: count(index)
    case 12..<18: answer(index)
    case 18: end(index)
    default: now += Double(dice.below(3))
    }
  }

  private mutating func ask(_ index: Int) {
    // Pages are sequential, pictures concurrent.
    guard processes[index].sent.count + processes[index].answers.count < 2 else { return }
    let rank = processes[index].rank
    if case .go(let ticket) = processes[index].hand.acquire(Self.key, rank, from: &ledger, now: now) {
      processes[index].sent.append(ticket)
    }
  }

  private mutating func count(_ index: Int) {
    guard !processes[index].sent.isEmpty else { return }
    let ticket = processes[index].sent.remove(at: dice.below(processes[index].sent.count))
    processes[index].answers.append((ticket, server.answer(at: now)))
  }

  private mutating func answer(_ index: Int) {
    guard !processes[index].answers.isEmpty else { return }
    let (ticket, answer) = processes[index].answers.remove(at: dice.below(processes[index].answers.count))
    let isLost = dice.below(10) == 0
    processes[index].hand.end(ticket, of: Self.key, with: isLost ? nil : answer, in: &ledger, now: now)
  }

  /// Ends a process normally or kills it, and starts the next.
  private mutating func end(_ index: Int) {
    if dice.below(2) == 0 {
      settle(index)
      processes[index].hand.giveBack(Self.key, to: &ledger, now: now)
    }
    processes[index] = Process(rank: processes[index].rank)
  }

  private mutating func settle(_ index: Int) {
    while !processes[index].sent.isEmpty { count(index) }
    while !processes[index].answers.isEmpty { answer(index) }
  }

  /// Delivers all answers in flight, then ends the window.
  mutating func passWindow() {
    for index in processes.indices { settle(index) }
    now += 902
  }

  /// Lets one process alone send as many requests as it may.
  mutating func drain() {
    for index in processes.indices { settle(index) }
    for _ in 0..<400 {
      ask(0)
      settle(0)
    }
  }
}

@Suite struct RateLawTests {
  @Test(arguments: PropertyTest.seeds(sample: 60, whole: 5_000))
  func `however processes take turns, end and are killed, none is ever turned away`(seed: UInt64) {
    var crowd = Crowd(seed: seed)
    for window in 0..<4 {
      for step in 0..<400 {
        crowd.step()
        if crowd.server.turnedAway > 0 {
          Issue.record("seed \(seed), window \(window), step \(step): \(crowd.server)")
          return
        }
      }
      crowd.drain()
      #expect(crowd.server.turnedAway == 0, "seed \(seed), window \(window)")
      crowd.passWindow()
    }
  }
}
