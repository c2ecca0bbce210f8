import Foundation
import ScriptedOrigin
import Testing

/// Quote posts as users see them.
@Suite(.timeLimit(.minutes(10))) struct QuoteJourneyTests {
  @Test func `a quoted post is shown by the one that quotes it, with its picture, and check finds nothing wrong`()
    async throws
  {
    try await withOrigin(Script(posts: 3)) { origin in
      let sandbox = try Sandbox()
      let picture: JSON = ["id": "q1", "type": "image", "url": .text("\(origin.url)/media/none.png")]
      let quoted: JSON = [
        "id": "77", "uri": "https://birds.example/users/ada/statuses/77", "url": "https://birds.example/@ada/77",
        "created_at": "2020-11-20T09:00:00.000Z", "content": "<p>Snow  and ice</p>",
        "account": ["acct": "ada@birds.example"], "media_attachments": [picture],
      ]
      origin.change { $0.posts[0].overrides = ["quote": ["state": "accepted", "quoted_status": quoted]] }
      let pulled = try await sandbox.media("tag", "cats", "--server", origin.url, "--json")
      let counts = try pulled.object()
      #expect((counts["posts", "new"], counts["posts", "unchanged"]) == (3, 0), "\(pulled.errors)")
      let posts = try await sandbox.media("list", "--json").objects()
      #expect(posts.count == 4)
      let last = try #require(posts.last)
      #expect(last["caption"] as? String == "Snow  and ice")
      #expect(last["quote"] is NSNull)
      let id = try #require(last["id"] as? Int)
      let quote = try #require(posts[0]["quote"] as? [String: any Sendable])
      #expect(quote["id"] as? Int == id)
      #expect(quote["url"] as? String == "https://birds.example/@ada/77")
      let number = try #require(posts[0]["id"] as? Int)
      let shown = try await sandbox.media("show", "\(number)").output
      #expect(shown.contains("Quotes post \(id), https://birds.example/@ada/77"), "\(shown)")
      #expect(origin.requests(to: "/media/none.png").count > 0)
      #expect(try await sandbox.media("check").status == 0)
    }
  }
}
