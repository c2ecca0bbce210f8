import Foundation
import HTTP
import Testing

struct FreshnessTests {
  private func fresh(_ headers: Headers) -> TimeInterval? { headers.freshness(now: noon) }

  @Test(arguments: [
    ("max-age=600", 600.0), ("public, max-age=\"600\"", 600), ("Private , MAX-AGE=60", 60), ("max-age=0", nil),
    ("no-cache, max-age=600", nil), ("max-age=600, no-store", nil), ("max-age=-5", nil), ("max-age=1e5", nil),
    ("max-age=99999999999999999999", nil), ("s-maxage=600", nil), ("", nil),
  ])
  func `max-age counts, unless the answer has to be revalidated`(field: String, seconds: TimeInterval?) {
    #expect(fresh(["Cache-Control": field]) == seconds)
  }

  @Test func `time in caches shortens freshness`() {
    #expect(fresh(["Cache-Control": "max-age=600", "Age": "450"]) == 150)
    #expect(fresh(["Cache-Control": "max-age=600", "Age": "900"]) == nil)
    #expect(fresh(["Cache-Control": "max-age=600", "Age": "soon"]) == 600)
  }

  @Test func `Expires is read by the server's own clock, and counts if there is no max-age`() {
    let end = "Sat, 21 Nov 2026 10:10:00 GMT"
    #expect(fresh(["Expires": end]) == 600)
    #expect(fresh(["Expires": end, "Date": "Sat, 21 Nov 2026 10:09:00 GMT"]) == 60)
    #expect(fresh(["Expires": end, "Cache-Control": "max-age=5"]) == 5)
    #expect(fresh(["Expires": end, "Cache-Control": "max-age=0"]) == nil)
    #expect(fresh(["Expires": "0"]) == nil)
    #expect(fresh(["Expires": "Sat, 21 Nov 2026 09:00:00 GMT"]) == nil)
  }
}
