import Foundation
import Posts
import Storage

/// What `PersonalChanges` promises.
public enum PersonalChangesContract {
  /// The claims.
  public static let claims = [
    StoreClaim("a deletion is seen by other processes, and undone by a restoration") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try expect(try library.store.delete([ids[0]], now: noon).changed, [ids[0]])
      try expect(try library.captions(), ["post 1"])
      try expect(try library.other.restore([ids[0]], now: noon).changed, [ids[0]])
      try expect(try library.captions(), ["post 2", "post 1"])
    },
    StoreClaim("unknown numbers are reported, and the others deleted") { library in
      let ids = try library.pull([post(1)]).posts
      let deletion = try library.store.delete([404_404, ids[0]], now: noon)
      try expect(deletion, Deletion(changed: ids, unknown: [404_404]))
    },
    StoreClaim("a second deletion changes nothing") { library in
      let ids = try library.pull([post(1)]).posts
      try expect(try library.store.delete(ids + ids, now: noon).changed, ids)
      try expect(try library.store.delete(ids, now: noon).changed, [])
    },
    StoreClaim("no pull undoes a deletion, and its facts stay current") { library in
      let ids = try library.pull([post(1)]).posts
      try library.store.delete(ids, now: noon)
      try library.pull([post(1, caption: "edited")])
      try library.store.restore(ids, now: noon)
      try expect(try library.captions(), ["edited"])
    },
    StoreClaim("restoring a tag restores its posts alone") { library in
      let ids = try library.pull([post(2), post(1, tags: ["dogs"])]).posts
      let others = try library.pull([post(9, tags: ["birds"])], of: dogs).posts
      try library.store.delete(ids + others, now: noon)
      // A post that the tag's own feed brought without the tag comes back, too.
      try expect(Set(try library.store.restore(tag: "cats", now: noon).changed), Set(ids))
      try expect(try library.other.deletedPosts(of: PostListQuery()), others)
    },
    StoreClaim("a post made by hand is there with its tags") { library in
      var made = post(1, tags: ["walks"])
      made.caption = "by hand"
      let id = try library.store.add(made, id: UUID(), pictures: [], now: noon)
      let whole = try require(try library.other.post(id))
      try expect(whole.post.source, .manual)
      try expect(try library.captions(PostListQuery(tag: "walks")), ["by hand"])
    },
    StoreClaim("an attachment keeps the name of its file, also when the post is pulled again") { library in
      var made = post(1)
      made.attachments = [Attachment(kind: .image, url: nil, name: "a \u{202E}cat.jpg")]
      let id = UUID()
      let number = try library.store.add(made, id: id, pictures: [], now: noon)
      try expect(try library.other.post(number)?.post.attachments.map(\.name), ["a \u{202E}cat.jpg"])
      made.attachments[0].name = nil
      try library.store.add(made, id: id, pictures: [], now: noon)
      try expect(try library.other.post(number)?.post.attachments.map(\.name), ["a \u{202E}cat.jpg"])
    },
    StoreClaim("a setting is there for every process until it is removed") { library in
      try library.store.set("colour", to: "blue")
      try expect(try library.other.setting("colour"), "blue")
      try expect(try library.other.settings()["colour"], "blue")
      try library.store.set("colour", to: nil)
      try expect(try library.other.setting("colour"), nil)
    },
    StoreClaim("the last thirty tags shown are kept, newest first") { library in
      for number in 1...40 { try library.store.noteTag("tag\(number)") }
      try library.store.noteTag("tag20")
      let tags = try library.other.latestTags()
      try expect(tags.count, 30)
      try expect(Array(tags.prefix(2)), ["tag20", "tag40"])
    },
    StoreClaim("a deletion survives a loss of power, and so does its undoing") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      try library.store.delete(ids, now: noon)
      try expect(try library.leftByPowerLoss { try $0.deletedPosts(of: PostListQuery()) }, ids)
      try library.store.restore([ids[0]], now: noon)
      try expect(try library.leftByPowerLoss { try $0.deletedPosts(of: PostListQuery()) }, [ids[1]])
      try library.store.restore(tag: "cats", now: noon)
      try expect(try library.leftByPowerLoss { try $0.deletedPosts(of: PostListQuery()) }, [])
    },
    StoreClaim("a post made by hand survives a loss of power") { library in
      let id = try library.store.add(post(1, caption: "by hand"), id: UUID(), pictures: [], now: noon)
      try expect(try library.leftByPowerLoss { try $0.post(id)?.post.caption }, "by hand")
    },
    StoreClaim("a setting survives a loss of power, and so does its removal") { library in
      try library.store.set("colour", to: "blue")
      try expect(try library.leftByPowerLoss { try $0.setting("colour") }, "blue")
      try library.store.set("colour", to: nil)
      try expect(try library.leftByPowerLoss { try $0.setting("colour") }, nil)
    },
  ]
}
