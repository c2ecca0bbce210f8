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
    /// Pages are sequential, pictures concurrent.
    var mostInFlight: Int
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
    var dice = Dice(state: seed)
    let limits = [3, 10, 24, 60, 300]
    server = CountingServer(limit: limits[dice.below(limits.count)], window: 900)
    server.ahead = [0, 3600, -7200][dice.below(3)]
    let counts = (0..<1 + dice.below(5)).map { _ in [2, 20][dice.below(2)] }
    processes = counts.enumerated().map { index, most in
      Process(rank: index == 0 ? .interactive : .background, mostInFlight: most)
    }
    self.dice = dice
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
    guard processes[index].sent.count + processes[index].answers.count < processes[index].mostInFlight else { return }
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
    processes[index] = Process(rank: processes[index].rank, mostInFlight: processes[index].mostInFlight)
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

  @Test(arguments: PropertyTest.seeds(sample: 60, whole: 5_000))
  func `a process is told to wait for the window's end only when the window is used up`(seed: UInt64) {
    var dice = Dice(state: seed)
    let key = RateKey(host: "birds.example", login: "", kind: .media)
    var (hand, ledger) = (HeldRateLease(), RateLedger(nil))
    var server = CountingServer(limit: [24, 30, 60, 300][dice.below(4)], window: 900)
    var sent: [HeldRateLease.Ticket] = []
    var answers: [(HeldRateLease.Ticket, Response)] = []
    var mustWait = false
    while !mustWait || !sent.isEmpty || !answers.isEmpty {
      switch dice.below(3) {
      case 0 where !mustWait && sent.count + answers.count < 20:
        switch hand.acquire(key, .interactive, from: &ledger, now: noon) {
        case .go(let ticket): sent.append(ticket)
        case .hold(let until): mustWait = until.timeIntervalSince(noon) > 1
        }
      case 1 where !sent.isEmpty:
        answers.append((sent.remove(at: dice.below(sent.count)), server.answer(at: noon)))
      case 2 where !answers.isEmpty:
        let (ticket, answer) = answers.remove(at: dice.below(answers.count))
        hand.end(ticket, of: key, with: answer, in: &ledger, now: noon)
      default: break
      }
    }
    #expect((server.left, server.turnedAway) == (0, 0), "seed \(seed)")
  }

  @Test func `an answer that does not come ends the waiting for it`() throws {
    let key = RateKey(host: "birds.example", login: "", kind: .media)
    var (hand, ledger) = (HeldRateLease(), RateLedger(nil))
    var server = CountingServer(limit: 10, window: 900)
    var sent: [HeldRateLease.Ticket] = []
    func ask(at now: Date) -> Date? {
      switch hand.acquire(key, .interactive, from: &ledger, now: now) {
      case .go(let ticket):
        sent.append(ticket)
        return nil
      case .hold(let until): return until
      }
    }
    while sent.count < 9 { #expect(ask(at: noon) == nil) }
    hand.end(sent[0], of: key, with: server.answer(at: noon), in: &ledger, now: noon)
    #expect(ask(at: noon) == nil)
    #expect(try #require(ask(at: noon)) < noon + 1, "the other eight may show that some are left")
    #expect(ask(at: noon + RateBudget.probeTime) == server.end)
  }
}
