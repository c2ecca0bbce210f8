import Foundation
import HTTP
import Machine
import Services
import Testing

struct GraphRatesTests {
  private let noon = UTC.date("2026-11-21T12:00:00Z") ?? .distantPast
  private func rate(_ headers: Headers) -> RateLimit { RateLimit(headers: headers, now: noon, dialect: .meta) }

  @Test func `Meta counts per cents and says minutes`() {
    let usage =
      #"{"178":[{"type":"instagram","call_count":95,"total_cputime":20,"total_time":97.5,"#
      + #""estimated_time_to_regain_access":12}]}"#
    let rate = rate(["X-App-Usage": #"{"call_count":28,"total_time":25}"#, "X-Business-Use-Case-Usage": usage])
    #expect(rate.remaining == 2)
    #expect(rate.limit == 100)
    #expect(rate.isShare)
    #expect(rate.resetsAt?.timeIntervalSince(noon) == 720)
  }

  @Test(arguments: ["", "[]", #"{"a":[{"call_count":"x"}]}"#, #"{"a":[{"call_count":1e400}]}"#])
  func `malformed usage is ignored`(text: String) {
    #expect(rate(["X-Business-Use-Case-Usage": text]) == RateLimit(headers: [:], now: noon))
  }
}
