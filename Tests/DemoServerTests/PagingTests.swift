import Testing
import Web

@testable import DemoServer

@Suite struct PagingTests {
  private let ids: [Int64] = [1, 2, 3, 4, 5, 6]

  @Test func `since_id is the newest page with a floor and min_id the page just above`() {
    #expect(PageRequest(Fields(form: "since_id=3&limit=2")).page(of: ids) == [6, 5])
    #expect(PageRequest(Fields(form: "min_id=3&limit=2")).page(of: ids) == [5, 4])
    #expect(PageRequest(Fields(form: "max_id=4&limit=2")).page(of: ids) == [3, 2])
    #expect(PageRequest(Fields(form: "min_id=2&since_id=5&limit=2")).page(of: ids) == [4, 3])
    #expect(PageRequest(Fields(form: "min_id=1&max_id=4")).page(of: ids) == [3, 2])
  }

  @Test func `a limit is 20 unless said and never more than 40`() {
    let many = (1...100).map(Int64.init)
    #expect(PageRequest(Fields()).page(of: many).count == 20)
    #expect(PageRequest(Fields(form: "limit=500")).page(of: many).count == 40)
    #expect(PageRequest(Fields(form: "limit=-3")).page(of: many) == [100, 99, 98])
    #expect(PageRequest(Fields(form: "limit=lots")).page(of: many) == [])
    #expect(PageRequest(Fields(form: "limit=\(Int.min)")).page(of: many).count == 40)
  }

  @Test func `an id that is not a number lies below every post`() {
    #expect(PageRequest(Fields(form: "max_id=abc")).page(of: ids) == [])
    #expect(PageRequest(Fields(form: "min_id=abc&limit=2")).page(of: ids) == [2, 1])
  }

  @Test(arguments: [1, 2, 3, 5, 8, 13])
  func `any limit walks every id exactly once, down and up, past any gaps`(seed: UInt64) {
    var dice = Dice(seed: seed)
    var ids: [Int64] = []
    for _ in 0..<dice.below(200) { ids.append((ids.last ?? 0) + 1 + Int64(dice.below(9))) }
    let limit = 1 + dice.below(40)
    let kept = { (id: Int64) in id % 3 != Int64(seed % 3) }
    var (down, up): ([Int64], [Int64]) = ([], [])
    while true {
      let page = PageRequest(limit: limit, maxID: down.last).page(of: ids, keep: kept)
      if page.isEmpty { break }
      down += page
    }
    while true {
      let page = PageRequest(limit: limit, minID: up.first ?? 0).page(of: ids, keep: kept)
      if page.isEmpty { break }
      up = page + up
    }
    #expect(down == ids.filter(kept).reversed(), "seed \(seed)")
    #expect(up == down, "seed \(seed)")
  }

  @Test(arguments: [7, 20, 40])
  func `following next walks the tag to an empty page without a link`(limit: Int) async throws {
    try await withDemo(posts: 47) { client in
      var seen: [String] = []
      var address: String? = "/api/v1/timelines/tag/demo?limit=\(limit)"
      var pages = 0
      while let next = address {
        let answer = try await client.get(next)
        seen += answer.ids
        pages += 1
        address = answer.link("next")
        #expect(answer.ids.isEmpty == (answer["link"] == nil))
      }
      #expect(seen.count == 47)
      #expect(Set(seen).count == 47)
      #expect(pages == (47 + limit - 1) / limit + 1)
    }
  }

  @Test func `links carry the limit and lose the other parameters`() async throws {
    try await withDemo { client in
      let answer = try await client.get("/api/v1/timelines/tag/demo?limit=3&none[]=cats&remote=true&since_id=5")
      let last = try #require(answer.ids.last)
      #expect(answer.link("next") == "\(client.base)/api/v1/timelines/tag/demo?limit=3&max_id=\(last)")
      #expect(answer.link("prev") == "\(client.base)/api/v1/timelines/tag/demo?limit=3&min_id=\(answer.ids[0])")
    }
  }
}
