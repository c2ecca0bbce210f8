import Foundation
import HTTP
import Storage
import Synchronization

@testable import Harvest

/// A server that counts requests in windows and rejects those beyond its limit, as a value.
struct CountingServer: Sendable {
  let limit: Int
  let window: TimeInterval
  /// How far its clock is ahead.
  var ahead: TimeInterval = 0
  private var endsAt: Date?
  private var spent = 0
  private(set) var turnedAway = 0
  private(set) var served = 0

  init(limit: Int, window: TimeInterval) { (self.limit, self.window) = (limit, window) }

  var left: Int { max(0, limit - spent) }
  var end: Date? { endsAt }

  mutating func answer(at now: Date) -> Response {
    if endsAt.map({ $0 <= now }) ?? true { (endsAt, spent) = (now.addingTimeInterval(window), 0) }
    spent += 1
    if spent > limit { turnedAway += 1 } else { served += 1 }
    let end = (endsAt ?? now).addingTimeInterval(ahead)
    let headers: Headers = [
      "X-RateLimit-Limit": "\(limit)", "X-RateLimit-Remaining": "\(max(0, limit - spent))",
      "X-RateLimit-Reset": "\(end.formatted(.iso8601))", "Date": Self.date(now.addingTimeInterval(ahead)),
    ]
    return Response(status: spent > limit ? 429 : 200, headers: headers)
  }

  /// RFC 9110, 5.6.7.
  private static func date(_ date: Date) -> String {
    var parts = Calendar(identifier: .gregorian)
    parts.timeZone = .gmt
    let at = parts.dateComponents([.year, .month, .day, .hour, .minute, .second, .weekday], from: date)
    let days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    func two(_ number: Int?) -> String { (number ?? 0) < 10 ? "0\(number ?? 0)" : "\(number ?? 0)" }
    return "\(days[(at.weekday ?? 1) - 1]), \(two(at.day)) \(months[(at.month ?? 1) - 1]) \(at.year ?? 0) "
      + "\(two(at.hour)):\(two(at.minute)):\(two(at.second)) GMT"
  }
}

/// A transport to made-up servers, and a record of their requests.
final class Hosts: Sendable {
  typealias Answer = @Sendable (Request) throws(TransportError) -> Response

  private let asked = Mutex([String]())
  private let answer: Answer

  init(_ answer: @escaping Answer) { self.answer = answer }

  var requests: Int { asked.withLock(\.count) }

  var transport: Transport {
    let run: Answer = { request throws(TransportError) in
      self.asked.withLock { $0.append(request.url) }
      return try self.answer(request)
    }
    return Transport(
      send: { request throws(TransportError) in
        await Task.yield()
        return try run(request)
      }, download: { request, _ throws(TransportError) in try run(request) })
  }
}
