import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of imports.
public enum ImportsContract {
  /// The claims.
  public static let claims = [
    StoreClaim("an import brings its posts once, with tags and pictures") { library in
      let items = [item(2, pictures: 2), item(1)]
      let first = try library.store.save(items, of: folder, now: noon)
      try expect([first.new, first.pictures], [2, 2])
      try expect(try library.captions(PostListQuery(tag: "cats")), ["post 2", "post 1"])
      try expect(try library.captions(PostListQuery(feed: folder)), ["post 2", "post 1"])
      let again = try library.other.save(items, of: folder, now: noon)
      try expect([again.new, again.unchanged, again.pictures], [0, 2, 0])
      try expect(try library.captions(), ["post 2", "post 1"])
    },
    StoreClaim("a pull after an import finds nothing new, and no picture to fetch") { library in
      try library.store.save([item(1, pictures: 2)], of: folder, now: noon)
      let saved = try library.pull([post(1, pictures: 2)])
      try expect([saved.new, saved.updated, saved.unchanged], [0, 0, 1])
      try expect(try library.other.pictures(ofPosts: saved.posts, now: noon), [])
    },
    StoreClaim("a pull after an import without addresses fetches no picture again") { library in
      var kept = item(1, pictures: 2)
      kept.item = change(kept.item) { post in
        (post.server, post.remoteID) = (nil, nil)
        for index in post.attachments.indices { post.attachments[index] = Attachment(kind: .image, url: nil) }
      }
      try library.store.save([kept], of: folder, now: noon)
      let saved = try library.pull([post(1, pictures: 2)])
      try expect(saved.new, 0)
      try expect(try library.other.pictures(ofPosts: saved.posts, now: noon), [])
    },
    StoreClaim("a pull takes over what an import knew by its page, or by its words and time") { library in
      var paged = item(1, pictures: 1)
      paged.item = change(paged.item) { post in
        (post.source, post.server, post.remoteID) = (.ofAddresses, nil, nil)
        (post.uri, post.url) = ("http://www.\(post.url?.dropFirst("https://".count) ?? "")/", post.url)
        post.attachments[0].url = nil
      }
      var bare = item(2, pictures: 1)
      bare.item = change(bare.item) { post in
        (post.server, post.remoteID, post.uri, post.url) = (nil, nil, "urn:export:2", nil)
        post.attachments[0].url = nil
      }
      try library.store.save([paged, bare], of: folder, now: noon)
      let saved = try library.pull([post(2, pictures: 1), post(1, pictures: 1), post(3)])
      try expect([saved.new, saved.posts.count], [1, 3])
      try expect(try library.other.pictures(ofPosts: saved.posts, now: noon), [])
      try expect(try library.captions(), ["post 3", "post 2", "post 1"])
      try expect(try library.captions(PostListQuery(feed: folder)), ["post 2", "post 1"])
      try expect(try library.pull([post(2, pictures: 1), post(1, pictures: 1)]).new, 0)
      try expect(try library.store.save([paged], of: folder, now: noon).unchanged, 1)
    },
    StoreClaim("an import adds to pulled posts their missing pictures alone") { library in
      let ids = try library.pull([post(1, caption: "as the server says", pictures: 2)]).posts
      let status = try library.other.importStatus(of: [item(1, pictures: 2), item(2, pictures: 1)])
      try expect(status, [ImportStatus(isKnown: true, missing: [0, 1]), ImportStatus(isKnown: false, missing: [0])])
      let imported = try library.store.save([item(1, pictures: 2)], of: folder, now: noon)
      try expect([imported.updated, imported.pictures], [1, 2])
      try expect(try library.captions(), ["as the server says"])
      try expect(try library.other.pictures(ofPosts: ids, now: noon), [])
      try expect(try library.other.importStatus(of: [item(1, pictures: 2)]).map(\.missing), [[]])
    },
    StoreClaim("an item that replaces rewrites its post") { library in
      try library.store.save([item(1)], of: folder, now: noon)
      var later = item(1)
      later.item = change(later.item) { $0.caption = "later" }
      try expect(try library.store.save([later], of: folder, now: noon).unchanged, 1)
      later.replaces = true
      try expect(try library.store.save([later], of: folder, now: noon).updated, 1)
      try expect(try library.captions(), ["later"])
    },
    StoreClaim("an import claims no coverage, and leaves no gap") { library in
      try library.store.save([item(1), item(5)], of: folder, now: noon)
      try expect(try library.other.coverage(of: folder).intervals.count, 0)
      try expect(try library.other.gaps(of: nil, isRunning: { _ in false }), [])
    },
    StoreClaim("deleting an import leaves what others brought, and restoring brings it back") { library in
      try library.pull([post(1)])
      try library.store.save([item(1), item(2)], of: folder, now: noon)
      let deleted = try library.store.delete(feed: folder, now: noon).changed
      try expect(try library.captions(), ["post 1"])
      let again = try library.store.save([item(1), item(2)], of: folder, now: noon)
      try expect([again.unchanged, again.deleted], [1, 1])
      try expect(try library.captions(), ["post 1"])
      try expect(try library.other.restore(feed: folder, now: noon).changed, deleted)
      try expect(try library.captions(), ["post 2", "post 1"])
    },
    StoreClaim("a post with a made-up identity is found by its first picture") { library in
      try library.store.save([item(1, pictures: 1)], of: folder, now: noon)
      var kept = item(1, pictures: 1)
      kept.item = change(kept.item) { $0.uri = "urn:export:1" }
      kept.isFoundByPicture = true
      try expect(try library.store.save([kept], of: folder, now: noon).unchanged, 1)
      try expect(try library.captions(), ["post 1"])
    },
    StoreClaim("an import of several versions ends with the newest, in whatever order they stand") { library in
      for (number, order) in [[1, 2, 3], [3, 2, 1], [2, 3, 1]].enumerated() {
        let versions = order.map { version in
          var version = (item: item(number, pictures: 1), number: version)
          version.item.item = change(version.item.item) { post in
            post.caption = "version \(version.number) of \(number)"
            post.editedAt = noon.addingTimeInterval(Double(version.number))
          }
          return version.item
        }
        for version in versions { try library.store.save([version], of: folder, now: noon) }
        try library.store.save(versions, of: folder, now: noon)
      }
      try expect(try library.captions(), (0...2).reversed().map { "version 3 of \($0)" })
      try expect(try library.other.pictures(ofPosts: try library.other.posts(PostQuery()).map(\.id), now: noon), [])
    },
    StoreClaim("a newer version that an import brings adds files and words, and loses none") { library in
      func version(_ number: Int, _ pictures: [UInt8]) -> ImportItem {
        var version = item(1)
        version.item = change(version.item) { post in
          (post.caption, post.editedAt) = ("version \(number)", noon.addingTimeInterval(Double(number)))
          post.attachments = pictures.map { Attachment(kind: .image, url: nil, alt: "\($0) of \(number)") }
        }
        for (index, picture) in pictures.enumerated() {
          version.pictures[index] = StoredBlob(id: BlobID(hashing: [picture]), byteCount: 1)
        }
        return version
      }
      try library.store.save([version(1, [1])], of: folder, now: noon)
      // Another one before the first, which nothing says to be newer.
      try expect(try library.other.importStatus(of: [version(1, [9, 1])]).map(\.wanted), [[0, 1]])
      try expect(try library.store.save([version(1, [9, 1])], of: folder, now: noon).pictures, 1)
      try expect(try library.store.save([version(1, [9, 1])], of: folder, now: noon).unchanged, 1)
      // Another one before the first, none, and another one in its place.
      try expect(try library.other.importStatus(of: [version(2, [2, 1])]).map(\.wanted), [[0, 1]])
      for (newer, pictures) in [(version(2, [2, 1]), 1), (version(3, []), 0), (version(4, [3]), 1)] {
        let imported = try library.store.save([newer], of: folder, now: noon)
        try expect([imported.updated, imported.pictures], [1, pictures])
        try expect(try library.store.save([newer], of: folder, now: noon).unchanged, 1)
      }
      let post = try library.other.posts(PostQuery()).first
      try expect(post?.caption, "version 4")
      try expect(post?.attachments.map { $0.alt ?? "" }, ["1 of 2", "9 of 1", "2 of 2", "3 of 4"])
      try expect(post?.attachments.allSatisfy { $0.state == .stored }, true)
    },
    StoreClaim("a newer version with other addresses brings no file twice, and describes those that it brought") {
      library in
      func version(_ number: Int) -> ImportItem {
        var version = item(1)
        version.item = change(version.item) { post in
          post.editedAt = noon.addingTimeInterval(Double(number))
          post.attachments = (0..<3).map {
            Attachment(kind: .image, url: "https://copy.example/\($0).jpg", alt: "\($0) of \(number)")
          }
        }
        return version
      }
      try library.store.save([item(1, pictures: 2)], of: folder, now: noon)
      for number in 1...2 {
        try library.store.save([version(number)], of: folder, now: noon)
        let files = try library.other.posts(PostQuery()).first?.attachments
        try expect(files?.map(\.state), [.stored, .stored, .pending])
        try expect(files?.map { $0.alt ?? "" }, ["", "", "2 of \(number)"])
      }
    },
    StoreClaim("an import fills albums by their names with new posts, and leaves to the person what was here") {
      library in
      var items = [item(3), item(1), item(2)]
      for index in items.indices { items[index].albums = ["Winter  2025", index == 0 ? "winter 2025" : "\u{1}", "A"] }
      try library.store.save(items, of: folder, now: noon)
      try expect(try library.other.albums().map { "\($0.name) \($0.posts)" }, ["A 3", "Winter 2025 3"])
      let posts = try library.other.posts(ofAlbum: "Winter 2025")
      try expect(posts, try library.other.posts(PostQuery()).sorted { $0.id < $1.id }.map(\.id))
      let person = Marker(machine: "desk", program: .command)
      try library.other.remove([posts[0]], fromAlbum: "winter 2025", by: person, now: noon)
      try library.other.move(posts[2], inAlbum: "winter 2025", before: posts[1], by: person, now: noon)
      try library.store.save(items, of: folder, now: noon)
      try expect(try library.other.posts(ofAlbum: "Winter 2025"), [posts[2], posts[1]])
      try library.other.renameAlbum("Winter 2025", to: "Cold", by: person, now: noon)
      try library.other.deleteAlbum("A", by: person, now: noon)
      var new = item(4)
      new.albums = ["Cold"]
      try library.store.save(items + [new], of: folder, now: noon)
      try expect(try library.other.albums().map { "\($0.name) \($0.posts)" }, ["Cold 3"])
    },
    StoreClaim("what can be read again is counted no more, under whichever of its names it was kept") { library in
      let broken = ["a/1.jpg", "a/1.json"].map {
        ImportItem(PageItem(id: $0, content: .unreadable(reason: "it is no JSON"), raw: Array($0.utf8)))
      }
      try library.store.save(broken + [item(2)], of: folder, now: noon)
      try expect(try library.other.stats().unreadable, 2)
      var mended = item(1)
      mended.paths = ["a/1.json", "a/1.jpg"]
      try library.store.save([mended], of: folder, now: noon)
      try expect(try library.other.stats().unreadable, 0)
    },
    StoreClaim("what cannot be read is counted each time, and spoils nothing") { library in
      let broken = ImportItem(PageItem(id: "7", content: .unreadable(reason: "it has no date"), raw: [0x7B]))
      let imported = try library.store.save([broken, item(1)], of: folder, now: noon)
      try expect([imported.unreadable, imported.new], [1, 1])
      try expect(try library.captions(), ["post 1"])
    },
  ]

  private static let folder = Feed.importing("downloads")

  private static func item(_ number: Int, pictures: Int = 0) -> ImportItem {
    let post = post(number, pictures: pictures)
    let blobs = (0..<pictures).map { picture in
      (picture, StoredBlob(id: BlobID(hashing: Array("\(number)-\(picture)".utf8)), byteCount: 3))
    }
    let raw = Array("{\"uri\":\"\(post.uri)\"}".utf8)
    return ImportItem(
      PageItem(id: post.remoteID, content: .post(post), raw: raw), pictures: Dictionary(uniqueKeysWithValues: blobs))
  }

  private static func change(_ item: PageItem, _ change: (inout Post) -> Void) -> PageItem {
    guard var post = item.post else { return item }
    var item = item
    change(&post)
    item.content = .post(post)
    return item
  }
}
