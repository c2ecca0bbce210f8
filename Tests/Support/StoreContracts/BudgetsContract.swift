import Foundation
import Posts
import Storage

/// What a store promises of hashtags and rate limits.
public enum BudgetsContract {
  private static let key = RateKey(host: "social.example", login: "", kind: .page)

  /// The claims.
  public static let claims = [
    StoreClaim("what one process changed, another one reads") { library in
      try expect(try library.other.rateBudget(of: key), nil)
      let budget = RateBudget(quota: 300, remaining: 299, endsAt: noon + 300)
      try library.store.changeRateBudget(of: key, now: noon) { $0 = budget }
      try expect(try library.other.rateBudget(of: key), budget)
      try library.store.changeRateBudget(of: key, now: noon) { $0 = nil }
      try expect(try library.other.rateBudget(of: key), nil)
    },
    StoreClaim("changes of several processes never overlap") { library in
      try library.store.changeRateBudget(of: key, now: noon) {
        $0 = RateBudget(quota: 1000, remaining: 1000, endsAt: noon + 300)
      }
      try await withThrowingTaskGroup(of: Void.self) { group in
        for store in [library.store, library.other] {
          group.addTask {
            for _ in 0..<50 { try store.changeRateBudget(of: key, now: noon) { $0?.remaining -= 1 } }
          }
        }
        try await group.waitForAll()
      }
      try expect(try library.store.rateBudget(of: key)?.remaining, 900)
    },
    StoreClaim("budgets of other logins and kinds are others") { library in
      try library.store.changeRateBudget(of: key, now: noon) {
        $0 = RateBudget(quota: 1, remaining: 1, endsAt: noon + 300)
      }
      try expect(
        try library.store.rateBudget(of: RateKey(host: "social.example", login: "ada", kind: .page)), nil)
    },
    StoreClaim("an account asks for no more hashtags than its budget has") { library in
      let budget = HashtagBudget(tags: 2, window: 3600)
      let ask = { (name: String, now: Date, store: Store) in
        switch try store.askHashtag(name, by: "ada", at: social, budget, now: now) {
        case .again, .new: true
        case .refused: false
        }
      }
      try expect(try ask("cats", noon, library.store), true)
      try expect(try ask("dogs", noon, library.other), true)
      try expect(try ask("birds", noon, library.store), false)
      try expect(try ask("cats", noon, library.other), true)
      try expect(try ask("birds", noon + 3601, library.other), true)
    },
    StoreClaim("the id of a hashtag is looked up once") { library in
      try expect(try library.other.hashtagID("cats", at: social), nil)
      try library.store.keepHashtag("cats", id: "17", at: social)
      try expect(try library.other.hashtagID("cats", at: social), "17")
    },
    StoreClaim("a hashtag that was asked for counts after a loss of power") { library in
      let budget = HashtagBudget(tags: 1, window: 3600)
      try expect(try library.store.askHashtag("cats", by: "ada", at: social, budget, now: noon), .new(number: 1))
      let grant = try library.leftByPowerLoss { store in
        try store.askHashtag("dogs", by: "ada", at: social, budget, now: noon)
      }
      try expect(grant, .refused(until: noon + 3600, others: ["cats"]))
    },
  ]
}
