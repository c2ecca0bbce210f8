import Foundation
import FuzzTargets
import PropertyTesting
import Testing

/// A short run of every target with mutated bytes in each test run. Unlike `Scripts/fuzz` it measures no coverage and
/// misses some misuse of memory, but it reports what it finds at once.
struct ShortRunTests {
  private static let tries = 40

  @Test(arguments: ReplayTests.targets.map(\.name), PropertyTest.seeds(sample: 5, whole: 100))
  func `a target keeps its promises over changes of its corpus`(name: String, seed: UInt64) async throws {
    let target = try #require(ReplayTests.targets.first { $0.name == name })
    // The same order everywhere, so that a seed means the same bytes.
    let files = try Corpus.files(of: name).sorted { $0.lastPathComponent < $1.lastPathComponent }
    let corpus = try files.map { Array(try Data(contentsOf: $0)) }
    var changes = Changes(corpus: corpus, longest: target.longest, dice: Dice(state: seed))
    for number in 0..<Self.tries {
      let bytes = changes.next()
      await #expect(throws: Never.self, "seed \(seed), \(number): \(Data(bytes).base64EncodedString())") {
        try await target.read(bytes)
      }
    }
  }
}

/// Corpus bytes with a few changes.
private struct Changes {
  let corpus: [[UInt8]]
  let longest: Int
  var dice: Dice

  private static let telling =
    Array("\"'\\<>{}[]&;:,=#-+.%0e9\n\r\t\u{0}\u{1B}\u{7F}".utf8) + [0x80, 0xC3, 0xED, 0xEF, 0xFF]

  mutating func next() -> [UInt8] {
    var bytes = corpus[dice.below(corpus.count)]
    for _ in 0...dice.below(4) { change(&bytes) }
    return Array(bytes.prefix(longest))
  }

  private mutating func change(_ bytes: inout [UInt8]) {
    let start = dice.below(bytes.count + 1)
    let end = min(bytes.count, start + 1 + dice.below(32))
    switch dice.below(5) {
    case 0: bytes.removeSubrange(start..<end)
    case 1: bytes.insert(Self.telling[dice.below(Self.telling.count)], at: start)
    case 2: bytes.insert(contentsOf: bytes[start..<end], at: dice.below(bytes.count + 1))
    case 3:
      let other = corpus[dice.below(corpus.count)]
      bytes.replaceSubrange(start..., with: other.suffix(dice.below(other.count + 1)))
    default: if start < end { bytes[start] ^= 1 << UInt8(dice.below(8)) }
    }
  }
}
