import Foundation
import HTTP
import Services
import Testing

@testable import Harvest

struct RateObservationTests {
  private func observation(_ status: Int, _ headers: Headers, _ dialect: RateDialect = .common) -> RateObservation? {
    RateObservation(Response(status: status, headers: headers), now: noon, dialect: dialect)
  }

  private func later(_ seconds: TimeInterval) -> Date { noon.addingTimeInterval(seconds) }

  @Test func `a window is read in every dialect`() {
    let epoch = Int(noon.timeIntervalSince1970)
    #expect(
      observation(200, ["X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "7", "X-RateLimit-Reset": "120"])
        == RateObservation(limit: 300, remaining: 7, endsAt: later(120)))
    #expect(
      observation(
        200, ["x-rate-limit-limit": "450", "x-rate-limit-remaining": "449", "x-rate-limit-reset": "\(epoch + 900)"])
        == RateObservation(limit: 450, remaining: 449, endsAt: later(900)))
    #expect(observation(200, ["X-Ratelimit-Remaining": "4999"]) == RateObservation(remaining: 4999))
    #expect(
      observation(200, ["X-App-Usage": #"{"call_count":96,"estimated_time_to_regain_access":7}"#], .meta)
        == RateObservation(limit: 100, remaining: 4, isShare: true, endsAt: later(420)))
  }

  @Test func `the server's time is taken as a wait from its own clock`() {
    let headers: Headers = [
      "X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2026-11-21T11:05:00.000000Z",
      "Date": "Sat, 21 Nov 2026 11:00:00 GMT",
    ]
    #expect(observation(200, headers) == RateObservation(remaining: 0, endsAt: later(300)))
    let past: Headers = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset": "2020-01-01T00:00:00Z"]
    #expect(observation(200, past) == RateObservation(remaining: 0, endsAt: noon))
  }

  @Test func `a limit that no field states is the documented one, unless an answer states another`() {
    let documented = RateDialect(hourly: 40)
    #expect(observation(200, [:], documented) == RateObservation(limit: 40, remaining: 39, isDocumented: true))
    #expect(observation(200, ["X-Ratelimit-Remaining": "7"], documented) == RateObservation(remaining: 7))
    #expect(observation(503, [:], documented) == nil && observation(200, [:], documented.stated) == nil)
  }

  @Test func `429 closes until its time`() {
    let closed = RateObservation(remaining: 0, endsAt: later(60), closedUntil: later(60))
    #expect(observation(429, ["Retry-After": "60"]) == closed)
    #expect(observation(420, ["X-RateLimit-Reset": "60"]) == closed)
    #expect(observation(429, ["Retry-After": "60", "X-RateLimit-Remaining": "5"]) == closed)
  }

  @Test(arguments: [400, 401, 403, 404, 410, 500, 502, 503])
  func `an error states no limit`(status: Int) {
    let headers: Headers = ["X-RateLimit-Limit": "300", "X-RateLimit-Remaining": "299", "X-RateLimit-Reset": "120"]
    #expect(observation(status, headers) == nil)
    #expect(observation(304, headers) != nil)
  }

  @Test func `a short-term limit is not a budget to share`() {
    #expect(observation(429, ["x-rate-limit-remaining": "448", "x-rate-limit-reset": "600"]) == nil)
    #expect(observation(200, ["RateLimit-Remaining": "49", "RateLimit-Reset": "1"]) == nil)
    #expect(observation(429, [:]) == nil)
    #expect(observation(429, ["Retry-After": "0"]) == nil)
  }

  @Test func `an answer that states no limit changes nothing`() {
    #expect(observation(200, [:]) == nil)
    #expect(observation(503, ["Retry-After": "60"]) == nil)
    #expect(observation(200, ["X-RateLimit-Limit": "0", "X-RateLimit-Remaining": "0"]) == nil)
    #expect(observation(200, ["X-RateLimit-Limit": "300"]) == nil)
  }
}
