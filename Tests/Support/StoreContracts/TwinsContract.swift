import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of a post of Instagram that an export brought, and something else as well.
public enum TwinsContract {
  private static let person = MarksContract.person
  private static let export = Feed.importing("instagram")

  /// The claims.
  public static let claims = [
    StoreClaim("an export's post and the one that Instagram shows become one by a verdict, which can be undone") {
      library in
      let shown = try library.pull([instagram(1, pictures: 2)]).posts[0]
      try library.attach(["small"], to: shown)
      let lost = try require(try library.store.pictures(ofPosts: [shown], now: noon).first)
      _ = try library.store.fail([PictureFailure(owner: lost.owner, reason: "no answer")], now: noon)
      let exported = try library.bring([exported(1, pictures: ["large", "second"])])[0]
      try library.store.createAlbum("Best", by: person, now: noon)
      try library.store.mark([shown], [.rating(2), .note("of the pull")], by: person, now: noon)
      try library.store.mark(
        [exported],
        [.favourite(true), .rating(5), .seen(true), .ownTag("+print"), .hidden(true), .note("of the export")],
        by: person, now: noon + 1)
      try library.store.add([exported], toAlbum: "Best", by: person, now: noon + 1)
      let before = try [shown, exported].map { try require(try library.other.post($0)).post.marks }
      let twins = try library.other.twins(among: [shown, exported])
      try expect(twins.map { [$0.exported, $0.shown] }, [[exported, shown]])

      let said = try library.store.set(
        .same, ofPosts: [shown, exported], showing: [name("small"), name("large")], by: person, now: noon + 2)
      try expect([said.joined, said.changed.count], [1, 2])
      let joined = try require(try library.other.post(shown)).post
      try expect([joined.marks.isFavourite, joined.marks.isHidden, joined.marks.seenAt != nil], [true, false, true])
      try expect(joined.marks.rating, 5)
      try expect(joined.marks.note, "of the export")
      try expect(joined.marks.ownTags, ["print"])
      try expect(joined.marks.albums, ["Best"])
      // It keeps its own file, and gets the one that it had not.
      try expect(joined.attachments.map(\.blob), [name("small"), name("second")])
      try expect(try library.earlierNotes(of: shown), ["of the pull"])
      try expect(try library.captions(), ["as Instagram shows it"])
      try expect(try library.captions(PostListQuery(feed: export)), ["as Instagram shows it"])
      try expect(try library.other.post(exported)?.post.attachments.map(\.blob), [name("large"), name("second")])
      try expect(try library.other.twins(among: [shown, exported]), [])

      // Whatever comes next finds the one post.
      try expect(try library.bring([Self.exported(1, pictures: ["large", "second"])], is: [0, 1, 0]), [exported])
      try expect(try library.pull([instagram(1, pictures: 2)]).new, 0)
      try expect(try library.captions(), ["as Instagram shows it"])
      try expect(try library.captions(PostListQuery(feed: export)), ["as Instagram shows it"])

      try expect(try library.store.undo(by: person, now: noon + 3)?.words, "call pictures the same")
      try expect(try [shown, exported].map { try require(try library.other.post($0)).post.marks }, before)
      try expect(try library.captions(), ["as Instagram shows it", "of an export"])
      try expect(try library.captions(PostListQuery(feed: export)), ["of an export"])
      // The file that was the export's is asked for again.
      let apart = try require(try library.other.post(shown)).post.attachments
      try expect(apart.map(\.blob), [name("small"), nil])
      try expect(apart.map(\.state), [.stored, .pending])
    },
    StoreClaim("what the person said last of both stands, and the other note is kept") { library in
      let shown = try library.pull([instagram(1, pictures: 2)]).posts[0]
      let exported = try library.bring([exported(1, pictures: ["large", "second"])])[0]
      let theirs: [Mark] = [.rating(5), .note("of the export"), .favourite(true), .ownTag("print"), .ownTag("keep")]
      try library.store.mark([exported], theirs, by: person, now: noon)
      try library.store.mark([shown], [.favourite(true), .ownTag("print")], by: person, now: noon)
      let ours: [Mark] = [.rating(2), .note("of the pull"), .favourite(false), .noOwnTag("print")]
      try library.store.mark([shown], ours, by: person, now: noon + 1)
      // Bytes that both have need no verdict, but the posts do.
      try library.attach(["large"], to: shown)
      try expect(
        try library.store.set(.same, ofPosts: [shown, exported], by: person, now: noon + 2).joined, 1)
      let joined = try require(try library.other.post(shown)).post
      try expect(joined.marks.rating, 2)
      try expect(joined.marks.note, "of the pull")
      try expect(joined.marks.isFavourite, false)
      try expect(joined.marks.ownTags, ["keep"])
      try expect(try library.earlierNotes(of: shown), ["of the export"])
      // What may still come is not taken from the export.
      try expect(joined.attachments.map(\.state), [.stored, .pending])
      _ = try library.store.undo(by: person, now: noon + 3)
      try expect(try library.earlierNotes(of: shown), [])
    },
    StoreClaim("posts of another day, another author, with other files, or of no export stay two") { library in
      var other = instagram(5, pictures: 1)
      other.author = Author(uri: "https://www.instagram.com/bob/", handle: "bob", name: "Bob")
      let shown = try library.pull([instagram(1, pictures: 1), instagram(1500, pictures: 1), other]).posts
      let exports = try library.bring([
        exported(1, pictures: ["large"]), exported(2, pictures: ["both", "of two"]), exported(5, pictures: ["third"]),
      ])
      func twins(_ posts: [Int64]) throws -> [[Int64]] {
        try library.other.twins(among: posts).map { [$0.exported, $0.shown] }
      }
      try expect(try twins([shown[0], exports[0]]), [[exports[0], shown[0]]])
      try expect(try twins([shown[1], exports[0]]), [])
      try expect(try twins([shown[0], exports[1]]), [])
      try expect(try twins([shown[0], shown[2]]), [])
      try expect(try twins([exports[0], exports[2]]), [])
      // Which of two it is, nobody can tell.
      try expect(try twins([shown[0], exports[0], exports[2]]), [])
      // Once the export's author is known, nobody else's post is one of it.
      try expect(try twins([shown[2], exports[2]]).count, 1)
      try library.attach(["large"], to: shown[0])
      try library.store.set(.same, ofPosts: [shown[0], exports[0]], by: person, now: noon)
      try expect(try twins([shown[2], exports[2]]), [])
      let others = try library.pull([post(1, pictures: 1)]).posts
      try expect(try twins(others + [exports[2]]), [])
      // What is deleted is no post to be one with.
      try library.store.delete([exports[2]], now: noon)
      try expect(try twins([shown[2], exports[2]]), [])
    },
  ]

  fileprivate static func name(_ text: String) -> BlobID { InspectionContract.name(text) }

  /// A post as Instagram shows it.
  private static func instagram(_ number: Int, pictures: Int) -> Post {
    var shown = post(number, caption: "as Instagram shows it", pictures: pictures)
    (shown.source, shown.uri) = (SourceName(rawValue: "instagram"), "https://www.instagram.com/p/\(number)/")
    (shown.url, shown.server) = (shown.uri, Server("https://graph.instagram.com"))
    shown.author = Author(uri: "https://www.instagram.com/ada/", handle: "ada", name: "Ada")
    return shown
  }

  /// The same post as an export has it, with files of these names.
  private static func exported(_ number: Int, pictures: [String]) -> ImportItem {
    let moment = post(number).createdAt - 20
    let exported = Post(
      source: SourceName(rawValue: "instagram"),
      uri: "urn:instagram-export:\(Int(moment.timeIntervalSince1970)):\(number)", createdAt: moment,
      caption: "of an export", attachments: pictures.map { _ in Attachment(kind: .image, url: nil) })
    let files = pictures.enumerated().map { index, file in
      (index, StoredBlob(id: name(file), byteCount: 9, mediaType: "image/jpeg"))
    }
    return ImportItem(
      PageItem(id: exported.uri, content: .post(exported), raw: Array("{}".utf8)),
      pictures: Dictionary(uniqueKeysWithValues: files), isFoundByPicture: true)
  }
}

extension NewLibrary {
  /// Imports posts of an export. Returns their numbers, in their order.
  ///
  /// - Parameter counts: How many of them are new, deleted and unchanged; by default all are new.
  fileprivate func bring(_ items: [ImportItem], is counts: [Int]? = nil) throws -> [Int64] {
    let imported = try store.save(items, of: Feed.importing("instagram"), now: noon)
    try expect([imported.new, imported.deleted, imported.unchanged], counts ?? [items.count, 0, 0])
    return try items.map { item in
      let uri = item.item.post?.uri
      var all = PostQuery(limit: nil)
      all.deleted = .included
      return try require(try other.posts(all).first { $0.uri == uri }).id
    }
  }

  fileprivate func earlierNotes(of id: Int64) throws -> [String?] {
    var notes: [String?] = []
    try other.eachRecord(of: nil, raw: false) { record in
      if case .post(let post) = record, post[.id].integer == id { notes = post.earlierNotes.map { $0[.note].text } }
    }
    return notes
  }

  /// Stores files of a post, the first ones.
  fileprivate func attach(_ files: [String], to post: Int64) throws {
    let tasks = try store.pictures(ofPosts: [post], now: noon)
    for (task, file) in zip(tasks, files) {
      try store.attach(
        [(task, StoredBlob(id: TwinsContract.name(file), byteCount: 9, mediaType: "image/jpeg"))], now: noon)
    }
  }
}
