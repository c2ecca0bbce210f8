import DemoServer
import Foundation
import ScriptedOrigin

extension Origin {
  /// How much there is and was.
  var counts: JSON {
    [
      "posts": .number(script.posts.count), "refused": .number(turnedAway),
      "requests": .number(windows.values.reduce(0, +)),
    ]
  }

  /// Everything that a client can have learned, and what it cost.
  func shown(of feeds: [String]) -> JSON {
    let (script, refusals) = (script, refusals)
    let pictures = script.posts.map { ($0.uri, JSON.list($0.pictureHashes.map(JSON.text))) }
    return [
      "feeds": .object(
        feeds.map { feed in (feed, .list(script.posts.filter { $0.tags.contains(feed) }.map { .text($0.uri) })) }),
      "pictures": .object(pictures), "windows": .object(windows.map { (String($0), .number($1)) }),
      "limit": .number(script.budget.limit),
      "refused": .list(
        refusals.map { ["at": .number(Int($0.at.timeIntervalSince1970)), "client": .text($0.client)] }),
    ]
  }
}
