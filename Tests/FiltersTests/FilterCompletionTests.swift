import Filters
import Testing

struct FilterCompletionTests {
  /// What a library with some tags offers.
  private func offers(_ text: String) -> [String] {
    FilterCompletion(of: text).offers { key, _ in
      key == .tag ? ["cats", "catfish", "red panda", "say \"hi\""] : []
    }.map(\.text)
  }

  @Test(arguments: [
    ("kin", ["kind:"]), ("KIN", ["kind:"]), ("cats -(kin", ["cats -(kind:"]), ("not:kin", ["not:kind:"]),
    ("cats OR kind:vi", ["cats OR kind:video"]), ("kind:image|vi", ["kind:image|video"]),
    ("tag:cat", ["tag:cats", "tag:catfish"]), ("tag:red", ["tag:\"red panda\""]),
    ("x tag:\"red p", ["x tag:\"red panda\""]), ("tag:\"say \\\"", ["tag:\"say \\\"hi\\\"\""]),
    // What few people ask for stands behind what many do.
    ("-ta", ["-tag:"]), ("tak", ["taken:"]), ("l", ["lang:"]),
    ("\"kin", []), ("tag:zebra", []), ("width:", []), ("http://kin", []), ("\"a\" kin", ["\"a\" kind:"]),
  ])
  func `the end of a filter is completed`(typed: String, offered: [String]) {
    #expect(offers(typed) == offered)
  }

  @Test func `every key is offered with what it asks, also behind a space`() {
    let none: (FilterKey, String) -> [String] = { _, _ in [] }
    for text in ["", "cats "] {
      let offers = FilterCompletion(of: text).offers(none)
      #expect(offers.map(\.text) == FilterKey.allCases.map { "\(text)\($0.rawValue):" })
      #expect(offers.allSatisfy { !$0.help.isEmpty })
    }
  }

  @Test func `what is offered for a value is a filter`() throws {
    for key in FilterKey.allCases where key.kind == .name || !key.choices.isEmpty {
      // An order is that of the whole filter.
      let (before, after) = key == .sort ? ("", "") : ("(-", ")")
      let typed = "cats \(before)\(key.rawValue):"
      for offer in FilterCompletion(of: typed).offers({ _, _ in ["a b", "\"", "c|d", "/e", "(f)"] }) {
        #expect(throws: Never.self, "\(offer.text)") { try Filter(parsing: offer.text + after) }
      }
    }
  }

  @Test func `no more is offered than anybody reads`() {
    let many = (0..<5000).map { "tag\($0)" }
    #expect(FilterCompletion(of: "tag:").offers { _, _ in many }.count == FilterCompletion.mostOffers)
  }
}
