import Foundation
import Machine
import Testing

@testable import Posts

struct LogLineTests {
  @Test(arguments: [
    ("a.example answers 503", "a.example answers 503"), ("what? a/b", "what? a/b"), ("", ""),
    ("https://a.example/x?key=1", "https://a.example/x?…"), ("https://a.example?key=1#x", "https://a.example?…"),
    ("see https://a.example/#key, then go", "see https://a.example/?… then go"),
    ("two: http://a.example/?a=1 and /feed?b=2", "two: http://a.example/?… and /feed?…"),
    ("https://ann:word@a.example/x", "https://a.example/x"),
    ("tag:cats@http://127.0.0.1:8080", "tag:cats@http://127.0.0.1:8080"),
    ("https://photos.example/@birds", "https://photos.example/@birds"),
    ("is it https://a.example/?", "is it https://a.example/?"),
  ])
  func `the query, the fragment and the login of an address are left out`(text: String, shown: String) {
    #expect(text.withoutQueries == shown)
  }

  @Test func `an event is one short line, about a feed whose address has no query`() throws {
    let feed = Feed(
      source: SourceName(rawValue: "feed"), kind: .url, value: "https://a.example/f?key=1",
      server: try #require(Server("a.example")))
    let words = "no\nanswer of https://a.example/f?key=1 " + String(repeating: "x", count: 1000)
    let event = LogLine(.feedFailed, .error, at: Date(timeIntervalSince1970: 0), feed: feed, seconds: 0.12345, words)
    #expect((event.feed, event.host, event.seconds) == ("https://a.example/f?…", "a.example", 0.123))
    #expect(event.message.hasPrefix("no answer of https://a.example/f?… xxx") && event.message.count == 300)
    let line = String(decoding: try JSONEncoder().encode(event), as: UTF8.self)
    #expect(LogLine(line) == event && !line.contains("key"))
  }

  @Test func `each line for the journal has its priority`() {
    #expect(Journal.lines("one\ntwo", .error) == "<3>one\n<3>two")
    #expect(Journal.lines("disk", .warning) == "<4>disk")
    #expect(!Journal.isReached(by: 0, named: nil) && !Journal.isReached(by: -1, named: "0:0"))
  }
}
