import Foundation
import Testing

/// How often a search asks a server that repeats its whole result.
@Suite(.timeLimit(.minutes(10))) struct SnacSearchTests {
  @Test func `a search that repeats itself whole has come to its end`() async throws {
    let demo = try await DialectDemo("snac", posts: 120)
    let summary = try await demo.pull("search", "demo", "--all", "--server", demo.url)
    #expect((summary["complete"] as? Bool, summary["posts", "new"]) == (true, 40))
    #expect(try await demo.sandbox.media("gaps", "--json").output.isEmpty)
    try await demo.end()
  }
}
