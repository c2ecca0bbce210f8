import Foundation
import HTTP
import Storage
import Synchronization

/// Lets requests out as their servers' limits allow: those of all processes that use a library taken together.
///
/// Every answer is read for what it tells of a limit. To a host that tells none, requests go as they come, and nothing is
/// written. Of one that does, a process takes a few requests at a time out of what the library says is left, sends them
/// without asking again, and gives back what it did not need; what a killed process has taken is lost until the window
/// ends. Background work leaves a reserve to those for whom a person waits. Where nothing is left, nothing is sent: the
/// request ends as `TransportError.rateLimited`, and the patience around the gate waits where that is short.
///
/// Nothing is known of a host before its first answer: until then each process may have a request under way there.
public final class RateGate: Sendable {
  fileprivate struct State: Sendable {
    var ledger: RateLedger
    var hands: [RateKey: RateHand] = [:]
  }

  private let rank: RateRank
  private let time: Timekeeper
  /// Apart, for a page may wait in the ledger for another process that writes to the library, and pictures are asked for
  /// on the network's thread.
  private let pages: Desk
  private let pictures: Desk

  private final class Desk: Sendable {
    let state: Mutex<State>
    init(_ store: Store?) { state = Mutex(State(ledger: RateLedger(store))) }
  }

  /// A gate over the limits in a library, or where there is none over those of this process alone.
  public init(store: Store?, rank: RateRank, time: Timekeeper) {
    self.rank = rank
    self.time = time
    (pages, pictures) = (Desk(store), Desk(store))
  }

  /// A transport that keeps to the limits. It belongs inside patience, so that a request that is tried again is counted
  /// again.
  public func guarding(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        try await self.run(request, .page) { () async throws(TransportError) in try await transport.send(request) }
      },
      download: { request, sink throws(TransportError) in
        try await self.run(request, .media) { () async throws(TransportError) in
          try await transport.download(request, sink)
        }
      })
  }

  /// Gives back what was taken and not sent: at the end of a pull. Requests may follow all the same.
  public func giveBack() {
    let now = time.now()
    for desk in [pages, pictures] {
      desk.state.withLock { state in
        for key in state.hands.keys { state.hands[key]?.giveBack(key, to: &state.ledger, now: now) }
      }
    }
  }

  private func run(
    _ request: Request, _ kind: RateKey.Class, _ work: () async throws(TransportError) -> Response
  ) async throws(TransportError) -> Response {
    let key = RateKey(request, kind)
    let now = time.now()
    let desk = kind == .media ? pictures : pages
    let ticket: RateHand.Ticket
    switch desk.state.withLock({ $0.take(key, rank, now) }) {
    case .go(let given): ticket = given
    case .hold(let until): throw .rateLimited(host: key.host, until: until, asked: now)
    }
    do {
      let answer = try await work()
      // A redirect leads to another host, and it is that one's limit which the answer tells.
      let place = answer.url.isEmpty ? key.host : HostTroubles.host(of: answer.url)
      let now = time.now()
      desk.state.withLock { $0.end(ticket, of: key, place == key.host ? answer : nil, now) }
      return answer
    } catch {
      let now = time.now()
      desk.state.withLock { $0.end(ticket, of: key, nil, now) }
      throw error
    }
  }
}

extension RateGate.State {
  fileprivate mutating func take(_ key: RateKey, _ rank: RateRank, _ now: Date) -> RateHand.Turn {
    hands[key, default: RateHand()].take(key, rank, from: &ledger, now: now)
  }

  fileprivate mutating func end(_ ticket: RateHand.Ticket, of key: RateKey, _ answer: Response?, _ now: Date) {
    hands[key]?.end(ticket, of: key, with: answer, in: &ledger, now: now)
  }
}

extension RateKey {
  /// Whose limit a request counts against.
  init(_ request: Request, _ kind: Class) {
    let digest = request.token.map { Digest.sha256(Array($0.reveal().utf8)) } ?? []
    let digits = digest.prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
    self.init(host: HostTroubles.host(of: request.url), login: digits.joined(), kind: kind)
  }
}
