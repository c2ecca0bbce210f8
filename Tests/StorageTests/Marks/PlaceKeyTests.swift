import PropertyTesting
import Testing

@testable import Storage

struct PlaceKeyTests {
  @Test func `keys at the end and at the beginning stay short`() throws {
    var last: String?
    var keys: [String] = []
    for _ in 0..<5_000 {
      last = PlaceKey.between(last, nil)
      keys.append(try #require(last))
    }
    #expect(keys == keys.sorted())
    #expect(Set(keys).count == keys.count)
    #expect(keys.map(\.utf8.count).max() == 4)
    var first: String? = keys[0]
    for _ in 0..<5_000 {
      let next = try #require(PlaceKey.between(nil, first))
      #expect(next < first!)
      first = next
    }
    #expect(first!.utf8.count <= 4)
  }

  @Test(arguments: PropertyTest.seeds(sample: 5, whole: 200))
  func `between any two keys there is another`(seed: UInt64) throws {
    var dice = Dice(state: seed)
    var keys: [String] = []
    for _ in 0..<400 {
      // Much happens at one place.
      let index = dice.below(3) == 0 ? dice.below(keys.count + 1) : min(keys.count, 3)
      let (low, high) = (index == 0 ? nil : keys[index - 1], index == keys.count ? nil : keys[index])
      let key = try #require(PlaceKey.between(low, high), "seed \(seed): \(low ?? "-") \(high ?? "-")")
      #expect(PlaceKey.isKey(key) || key.utf8.count > PlaceKey.longest, "seed \(seed): \(key)")
      #expect(low.map { $0.utf8.lexicographicallyPrecedes(key.utf8) } ?? true, "seed \(seed)")
      #expect(high.map { key.utf8.lexicographicallyPrecedes($0.utf8) } ?? true, "seed \(seed)")
      keys.insert(key, at: index)
    }
  }

  @Test(arguments: ["", "0", "a", "A", "a0/", "b0", "a00", "é0", "a0\u{0}", "-", "z"])
  func `what is no key makes none`(text: String) {
    #expect(!PlaceKey.isKey(text))
    #expect(PlaceKey.between(text, nil) == nil)
    #expect(PlaceKey.between(nil, text) == nil)
  }

  @Test func `nothing lies between equal keys, or between keys in the wrong order`() {
    #expect(PlaceKey.between("a1", "a1") == nil)
    #expect(PlaceKey.between("a2", "a1") == nil)
  }
}
