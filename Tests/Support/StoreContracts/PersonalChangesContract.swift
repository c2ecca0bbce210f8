import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of what a person does.
public enum PersonalChangesContract {
  /// The claims.
  public static let claims = changes + edits

  private static let changes = [
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

/// What a store promises of edits.
extension PersonalChangesContract {
  private static func entry(_ library: NewLibrary, files: Int = 0) throws -> Int64 {
    var made = post(1, caption: "teeth", tags: ["health"])
    (made.title, made.createdAt, made.endsAt) = ("Dentist", noon, noon.addingTimeInterval(3600))
    made.attachments = (0..<files).map { Attachment(kind: .file, url: nil, name: "\($0).pdf") }
    return try library.store.add(made, id: UUID(), pictures: (0..<files).map(blob), now: noon)
  }

  private static func blob(_ number: Int) -> StoredBlob {
    StoredBlob(id: BlobID(hashing: [UInt8(number)]), byteCount: 1)
  }

  private static func editing(_ body: (inout PostEdit) -> Void) -> PostEdit {
    var edit = PostEdit()
    body(&edit)
    return edit
  }

  static let edits = [
    StoreClaim("an edit changes what it names, and the old wording becomes a revision") { library in
      let id = try entry(library)
      let later = noon.addingTimeInterval(60)
      try expect(try library.store.edit(id, editing { $0.title = "The dentist" }, now: later), true)
      let whole = try require(try library.other.post(id))
      try expect(whole.post.title, "The dentist")
      try expect(whole.post.caption, "teeth")
      try expect(whole.post.tags, ["health"])
      try expect(whole.post.editedAt, later)
      try expect(whole.revisions.map(\.title), ["Dentist"])
      try expect(try library.captions(PostListQuery(search: "the dentist")), ["teeth"])
      try library.store.edit(id, editing { ($0.title, $0.caption) = (.some(nil), "a crown") }, now: later)
      try expect(try library.other.post(id)?.post.title, nil)
      try expect(try library.captions(PostListQuery(search: "dentist")), [])
      try expect(try library.captions(PostListQuery(search: "crown")), ["a crown"])
    },
    StoreClaim("an edit that says what is there changes nothing") { library in
      let id = try entry(library, files: 1)
      let before = try library.store.post(id)
      let edit = editing { edit in
        (edit.title, edit.caption, edit.start, edit.addedTags) = ("Dentist", "teeth", noon, ["Health"])
        edit.removedTags = ["other"]
      }
      try expect(try library.store.edit(id, edit, now: noon.addingTimeInterval(60)), false)
      try expect(try library.other.post(id), before)
    },
    StoreClaim("an entry that is moved keeps its length, and its place in lists follows") { library in
      let id = try entry(library)
      try library.store.add(post(2, caption: "later", tags: ["health"]), id: UUID(), pictures: [], now: noon)
      let (early, end) = (Date(timeIntervalSince1970: 1_600_000_000), Date(timeIntervalSince1970: 1_600_003_600))
      try library.store.edit(id, editing { $0.start = early }, now: noon)
      let moved = try require(try library.other.post(id)).post
      try expect(moved.createdAt, early)
      try expect(moved.endsAt, end)
      try expect(try library.captions(PostListQuery(tag: "health")), ["later", "teeth"])
      try library.store.edit(id, editing { $0.finish = .some(nil) }, now: noon)
      try expect(try library.other.post(id)?.post.endsAt, nil)
    },
    StoreClaim("tags come and go by an edit, and their totals are right") { library in
      let id = try entry(library)
      let edit = editing { ($0.addedTags, $0.removedTags) = (["#Teeth"], ["health"]) }
      try library.store.edit(id, edit, now: noon)
      try expect(try library.other.post(id)?.post.tags, ["teeth"])
      try expect(try library.captions(PostListQuery(tag: "health")), [])
      let window = try library.other.window(PostListQuery(tag: "teeth"), around: nil, before: 0, after: 9)
      try expect(window.total, .exactly(1))
    },
    StoreClaim("files come and go by an edit, each by its own number") { library in
      let id = try entry(library, files: 3)
      let first = try require(try library.other.post(id)).post.attachments
      let file = PostEdit.File(Attachment(kind: .file, url: nil, name: "new.pdf"), blob(9))
      try library.store.edit(id, editing { ($0.removed, $0.added) = ([first[1].id], [file]) }, now: noon)
      let left = try require(try library.other.post(id)).post.attachments
      try expect(left.map(\.name), ["0.pdf", "2.pdf", "new.pdf"])
      try expect(left.map(\.blob), [blob(0).id, blob(2).id, blob(9).id])
      try expect(left.map(\.state), [.stored, .stored, .stored])
      try expect(throws: .notEdited(id, .noAttachment)) {
        try library.other.edit(id, editing { $0.removed = [first[1].id] }, now: noon)
      }
    },
    StoreClaim("two edits at once lose nothing: fields, tags and files of both are there") { library in
      let id = try entry(library, files: 1)
      try library.store.edit(id, editing { ($0.title, $0.addedTags) = ("Crown", ["one"]) }, now: noon)
      try library.other.edit(id, editing { ($0.caption, $0.addedTags) = ("bring papers", ["two"]) }, now: noon)
      let post = try require(try library.store.post(id)).post
      try expect(post.title, "Crown")
      try expect(post.caption, "bring papers")
      try expect(post.tags, ["health", "one", "two"])
      try expect(try library.store.post(id)?.revisions.count, 2)
    },
    StoreClaim("an edit of what another process has changed meanwhile is refused, by the same clock too") { library in
      let id = try entry(library)
      let seen = try require(try library.store.post(id)).post.updatedAt
      try library.other.edit(id, editing { $0.title = "Theirs" }, now: noon)
      try expect(throws: .notEdited(id, .changedMeanwhile)) {
        try library.store.edit(id, editing { ($0.title, $0.basis) = ("Mine", seen) }, now: noon)
      }
      try expect(try library.store.post(id)?.post.title, "Theirs")
      let now = try require(try library.store.post(id)).post.updatedAt
      try library.store.edit(id, editing { ($0.title, $0.basis) = ("Mine", now) }, now: noon)
      try expect(try library.store.post(id)?.revisions.map(\.title), ["Dentist", "Theirs"])
    },
    StoreClaim("a pulled post, an unknown one and an entry that would be nothing or end too early are refused") {
      library in
      let pulled = try library.pull([post(2)]).posts[0]
      let id = try entry(library)
      let retitled = editing { $0.title = "x" }
      try expect(throws: .notEdited(pulled, .pulled)) { try library.store.edit(pulled, retitled, now: noon) }
      try expect(throws: .unknownPosts([404_404])) { try library.store.edit(404_404, retitled, now: noon) }
      for finish in [noon, noon.addingTimeInterval(-1)] {
        try expect(throws: .notEdited(id, .endsBeforeStart)) {
          try library.store.edit(id, editing { $0.finish = finish }, now: noon)
        }
      }
      try expect(throws: .notEdited(id, .nothingLeft)) {
        try library.store.edit(id, editing { ($0.title, $0.caption) = (.some(nil), "") }, now: noon)
      }
      try expect(try library.store.post(id)?.post.title, "Dentist")
      try expect(try library.store.post(id)?.revisions.count, 0)
    },
    StoreClaim("an edit survives a loss of power, and open lists learn of it") { library in
      let id = try entry(library)
      var readings = library.other.observe(PostListQuery(), around: nil, before: 0, after: 9).makeAsyncIterator()
      try expect(try await readings.next()?.rows.map(\.post.title), ["Dentist"])
      try library.store.edit(id, editing { $0.title = "Crown" }, now: noon)
      try expect(try await readings.next()?.rows.map(\.post.title), ["Crown"])
      try expect(try library.leftByPowerLoss { try $0.post(id)?.post.title }, "Crown")
    },
  ]
}
