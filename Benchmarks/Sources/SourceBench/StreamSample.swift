import Foundation
import Services

/// Events of Bluesky's stream, read for fifty followed tags, of which one in a thousand has one.
enum StreamSample {
  /// How many events are read in a second.
  static func perSecond() -> Int {
    guard let stream = Catalogue.entry(.bluesky)?.stream else { return 0 }
    let tags = Set((0..<50).map { "tag\($0)" })
    let events = (0..<5_000).map { Array(event($0).utf8) }
    let rounds = 40
    var found = 0
    let clock = ContinuousClock()
    let time = clock.measure {
      for _ in 0..<rounds { for event in events where stream.event(event, tags)?.change != nil { found += 1 } }
    }
    precondition(found == rounds * (5 + events.count / 50))
    return Int(Double(rounds * events.count) / (time / .seconds(1)))
  }

  private static func event(_ number: Int) -> String {
    let head =
      #"{"did":"did:plc:\#(String(repeating: "d", count: 24))","time_us":\#(1_795_000_000_000_000 + number),"kind":"commit","#
    let commit =
      #""commit":{"rev":"3l3qo2vuowo2b","collection":"app.bsky.feed.post","rkey":"3k\#(number)","operation":"#
    if number % 50 == 0 { return head + commit + #""delete"}}"# }
    let text = Array(repeating: "birds sing in the morning", count: number % 9 + 1).joined(separator: " ")
    let tag = number % 1_000 == 1 ? "tag7" : "other\(number)"
    let facet =
      #"{"index":{"byteStart":0,"byteEnd":5},"features":[{"$type":"app.bsky.richtext.facet#tag","tag":"\#(tag)"}]}"#
    let facets = number % 5 == 1 ? #""facets":[\#(facet)],"# : ""
    let embed =
      #""embed":{"$type":"app.bsky.embed.images","images":[{"alt":"a picture","image":{"$type":"blob","ref":{"$link":"bafkreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},"mimeType":"image/jpeg","size":123456}}]},"#
    let record =
      #"{"$type":"app.bsky.feed.post","createdAt":"2026-11-18T12:00:00.000Z",\#(facets)\#(number % 3 == 0 ? embed : "")"langs":["en"],"text":"\#(text)"}"#
    return head + commit
      + #""create","record":\#(record),"cid":"bafyreidwaivazkwu67xztlmuobx35hs2lnfh3kolmgfmucldvhd3sgzcqi"}}"#
  }
}
