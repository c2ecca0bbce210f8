import Foundation
import HTTP
import Posts
import Testing

@testable import Login

@Suite struct `the line of a fault` {
  private struct Key: CodingKey {
    let stringValue: String
    let intValue: Int?
    init(stringValue: String) { (self.stringValue, intValue) = (stringValue, nil) }
    init(intValue: Int) { (stringValue, self.intValue) = ("Index \(intValue)", intValue) }
  }

  private func line(_ text: String, _ path: Key...) -> Int { JSONLocation.line(of: path, in: Array(text.utf8)) }
  private func end(_ text: String) -> Int { JSONLocation.line(of: nil, in: Array(text.utf8)) }

  @Test func `a value is found by its path`() {
    let text = "{\"a\": [1,\n{\"b\\\"\": \"}\\\\\",\n \"c\":\n true}],\n\"c\": null}"
    let (a, c) = (Key(stringValue: "a"), Key(stringValue: "c"))
    #expect(line(text, a, Key(intValue: 1), c) == 4)
    #expect(line(text, a, Key(intValue: 1)) == 2)
    #expect(line(text, c) == 5)
  }

  @Test func `a missing value stands where its parent begins`() {
    #expect(line("{\n\"a\":\n{\"b\":1}\n}", Key(stringValue: "a"), Key(stringValue: "c")) == 3)
    #expect(line("[\n1\n]", Key(intValue: 4)) == 1)
    #expect(line("\n[\n]") == 2)
  }

  @Test func `the line of the first byte that is not JSON is reported`() {
    #expect(end("{\n\"a\": 1\n\"b\": 2}") == 3)
    #expect(end("{\n\"a\": tru,\n\"b\": 2}") == 2)
    #expect(end("{\n\"a\": \"never\n closed") == 2)
    #expect(end("{}\n\nmore") == 3)
    #expect(end(String(repeating: "[", count: 100_000)) == 1)
  }

  @Test func `a file changed anywhere is read or refused with a line it has`() throws {
    var whole = Credentials()
    let server = try #require(Server("cats.example"))
    let app = AppRegistration(server: server, clientID: "id", clientSecret: Secret("s"), scopes: ["read"])
    whole.accounts = [
      Account(
        server: server,
        handle: "ann@cats.example",
        name: "Ann",
        token: Secret("t"),
        scopes: ["read"],
        created: Date(timeIntervalSince1970: 0)
      )
    ]
    whole.apps = [app]
    let bytes = try whole.written(to: "accounts.json")
    let seed = UInt64.random(in: 0 ... .max)
    var chance = Steps(state: seed)
    for _ in 0..<1500 {
      var changed = bytes
      let at = Int.random(in: 0..<changed.count, using: &chance)
      switch Int.random(in: 0...2, using: &chance) {
      case 0: changed[at] = UInt8.random(in: 0...255, using: &chance)
      case 1: changed.removeSubrange(at...)
      default: changed.insert(contentsOf: [0x7B, 0x5B, 0x22, 0x0A].shuffled(using: &chance), at: at)
      }
      do throws(AccountsError) {
        _ = try Credentials(reading: changed, from: "accounts.json")
      } catch {
        switch error {
        case .unreadable(_, let line, _):
          #expect((1...changed.count { $0 == 0x0A } + 1).contains(line), "seed \(seed)")
        case .newer: break
        default: Issue.record("seed \(seed): \(error)")
        }
      }
    }
  }
}
