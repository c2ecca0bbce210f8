import PropertyTesting
import Testing

@testable import Gallery

struct WordDiffTests {
  private func joined(_ diff: WordDiff, without kind: WordDiff.Piece.Kind) -> String {
    diff.pieces.filter { $0.kind != kind }.map(\.text).joined()
  }

  @Test func `a changed word is replaced, the others stay`() {
    let diff = WordDiff(from: "two grey cats sleep", to: "two black cats sleep soundly")
    #expect(
      diff.pieces == [
        .init(kind: .kept, text: "two "), .init(kind: .deleted, text: "grey"), .init(kind: .inserted, text: "black"),
        .init(kind: .kept, text: " cats sleep"), .init(kind: .inserted, text: " soundly"),
      ])
    #expect(diff.html.markup == "two <del>grey</del><ins>black</ins> cats sleep<ins> soundly</ins>")
    #expect(WordDiff(from: "", to: "").pieces == [])
  }

  @Test(arguments: PropertyTest.seeds(sample: 200, whole: 20_000))
  func `kept and inserted words are the new text, kept and deleted ones the old`(seed: UInt64) {
    var dice = Dice(state: seed)
    let words = ["a", "b", "cat", " ", "  ", "\n", "<b>", "é", "e\u{301}", "\u{301}", "\r\n", "👩‍👩‍👧"]
    func text() -> String { (0..<dice.below(25)).map { _ in words[dice.below(words.count)] }.joined() }
    let (old, new) = (text(), text())
    let diff = WordDiff(from: old, to: new)
    #expect(joined(diff, without: .deleted) == new)
    #expect(joined(diff, without: .inserted) == old)
    #expect(zip(diff.pieces, diff.pieces.dropFirst()).allSatisfy { $0.kind != $1.kind })
  }

  @Test func `texts of a hundred thousand words are compared at once`() {
    let old = (0..<100_000).map { "word\($0 % 977) " }.joined()
    let new = (0..<100_000).map { "word\($0 % 983) " }.joined()
    let diff = WordDiff(from: old, to: new)
    #expect(joined(diff, without: .deleted) == new && joined(diff, without: .inserted) == old)
  }
}
