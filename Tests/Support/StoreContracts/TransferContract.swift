import Blobs
import Foundation
import Machine
import Posts
import Storage

/// What a store promises of records and entries that leave a library and come into it.
public enum TransferContract {
  /// The claims.
  public static let claims = [
    StoreClaim("the records of a library are one snapshot, whatever others write meanwhile") { library in
      try library.pull([page([3, 2, 1])])
      var uris: [String] = []
      try library.store.eachRecord(of: nil, raw: false) { record in
        if uris.isEmpty, case .post = record {
          try library.other.add(Post(source: .manual, uri: "", createdAt: noon, caption: "late"), id: UUID(), now: noon)
        }
        if case .post(let post) = record { uris.append(post.identity.uri) }
      }
      try expect(uris.count, 3)
      try expect(try library.store.transferredPosts(after: nil, limit: 10).count, 4)
    },
    StoreClaim("what throws while records are read ends the reading, and is thrown") { library in
      try library.pull([page([2, 1])])
      struct Enough: Error {}
      var count = 0
      do {
        try library.store.eachRecord(of: nil, raw: true) { _ in
          count += 1
          throw Enough()
        }
        throw BrokenClaim(description: "nothing was thrown")
      } catch is Enough {}
      try expect(count, 1)
    },
    StoreClaim("merging the records of a library into it changes nothing") { library in
      try library.pull([page([3, 2, 1])])
      var records: [LibraryRecord] = []
      try library.store.eachRecord(of: nil, raw: true) { records.append($0) }
      let position = try library.other.changePosition()
      try library.store.beginMerge()
      let merged = try library.store.merge(records, stored: [], dryRun: false, now: noon)
      try expect(merged.unchanged, 3)
      try expect(merged.refused, [:])
      for feed in try library.store.transferredFeeds() { try expect(try library.store.mergeCoverage(of: feed), 0) }
      try expect(try library.other.countChanges(after: position), 0)
    },
    StoreClaim("a record that does not say who may see a post takes back nothing, and one that says it is believed") {
      library in
      var shown = post(1)
      shown.visibility = .followers
      try library.pull([shown])
      var records: [LibraryRecord] = []
      try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
      func merged(seenBy visibility: Visibility?, at seconds: Double) throws -> Visibility? {
        let changed = records.map { $0.showing(visibility, changedAt: noon + seconds) }
        try library.store.beginMerge()
        _ = try library.store.merge(changed, stored: [], dryRun: false, now: noon)
        return try library.other.posts(PostQuery(limit: nil)).first?.visibility
      }
      try expect(try merged(seenBy: nil, at: 60), .followers)
      try expect(try merged(seenBy: .public, at: 120), .public)
      try expect(try merged(seenBy: .followers, at: 90), .public)
      // A library that does not know it learns it from an older record, too.
      let other = post(2)
      let ids = try library.pull([other]).posts
      records = []
      try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
      records = records.filter { if case .post(let post) = $0 { post.identity.uri == other.uri } else { false } }
      _ = try merged(seenBy: .direct, at: -60)
      try expect(try library.other.post(ids[0])?.post.visibility, .direct)
    },
    StoreClaim("records are not merged while a picture has lost its row, and are once its bytes are stored again") {
      library in
      let blob = BlobID(hashing: [1, 2, 3])
      let post = Post(
        source: .manual, uri: "", createdAt: noon, caption: "a heron",
        attachments: [Attachment(kind: .file, url: nil, name: "heron.txt")])
      _ = try library.store.add(
        post, id: UUID(), pictures: [StoredBlob(id: blob, byteCount: 3, mediaType: nil)], now: noon)
      var records: [LibraryRecord] = []
      try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
      try expect(try library.store.knownBlobs(among: [blob, BlobID(hashing: [4])]), [blob])
      // The same records, whose picture no row knows.
      let other = BlobID(hashing: [5, 6, 7])
      let renamed = records.map { $0.renaming(blob, to: other) }
      try library.store.beginMerge()
      let refused = try library.store.merge(renamed, stored: [other], known: [other], dryRun: false, now: noon)
      try expect(refused.forgotten, [other])
      try expect(refused.new + refused.updated + refused.unchanged, 0)
      try expect(try library.other.stats().posts, 1)
      let merged = try library.store.merge(renamed, stored: [other], known: [], dryRun: false, now: noon)
      try expect(merged.forgotten, [])
      try expect(merged.new, 1)
      try expect(try library.other.knownBlobs(among: [blob, other]), [blob, other])
    },
    StoreClaim("a delete and a restore come after what another machine did, whose clock is ahead") { library in
      let ids = try library.pull([post(2), post(1)]).posts
      func records() throws -> [LibraryRecord] {
        var records: [LibraryRecord] = []
        try library.store.eachRecord(of: nil, raw: false) { records.append($0) }
        return records
      }
      func merge(_ records: [LibraryRecord]) throws {
        try library.store.beginMerge()
        _ = try library.store.merge(records, stored: [], dryRun: false, now: noon)
      }
      try library.store.delete([ids[0]], now: noon)
      let deletion = try records()
      let behind = noon - 7_200
      try expect(try library.store.restore(ids, now: behind).time.map(UTC.text), UTC.text(noon + 0.001))
      let restoring = try records()
      try merge(deletion)
      try expect(try library.other.deletedPosts(), [])
      // What is deleted together has one time.
      let again = try library.store.delete(ids, now: behind)
      try expect(again.time.map(UTC.text), UTC.text(noon + 0.002))
      try merge(restoring)
      try expect(try library.other.deletedPosts().count, 2)
      try expect(try library.store.restore(deletedAt: noon + 0.002, now: noon + 60).changed.count, 2)
      // A clock that is years ahead is wrong, and dates nothing.
      let year = noon + 366 * 86_400
      try library.store.delete([ids[0]], now: year)
      try library.store.restore([ids[0]], now: year)
      let last = try library.store.delete(ids, now: noon + 30)
      try expect(last.time.map(UTC.text), UTC.text(noon + 60.001))
    },
    StoreClaim("an entry is stored once, is on disk at once, and its earlier wording becomes a revision") { library in
      var post = Post(source: .manual, uri: "urn:diary:1", createdAt: noon, title: "Walk", caption: "far")
      try library.store.save([PlannerEntry(post: post)], now: noon)
      try expect(try library.leftByPowerLoss { try $0.postsMadeByHand().map(\.uri) }, ["urn:diary:1"])
      post.title = "Run"
      try library.store.save([PlannerEntry(post: post)], now: noon + 60)
      let id = try require(try library.other.postMadeByHand("urn:diary:1"))
      let whole = try require(try library.other.post(id))
      try expect(whole.post.title, "Run")
      try expect(whole.revisions.map(\.title), ["Walk"])
      try library.store.delete([id], now: noon)
      try expect(try library.other.postsMadeByHand().count, 0)
      try expect(try library.other.postMadeByHand("urn:diary:1"), id)
    },
    StoreClaim("the entries of a series are found by its identity, deleted or not, the earliest first") { library in
      let uris = ["urn:ical:1#b", "urn:ical:1", "urn:ical:1#a", "urn:ical:12", "urn:ical:1$", "urn:ical:1 #c"]
      for (index, uri) in uris.enumerated() {
        let post = Post(source: .manual, uri: uri, createdAt: noon + Double(index), title: "Walk", caption: "")
        try library.store.save([PlannerEntry(post: post)], now: noon)
      }
      try library.store.delete([try require(try library.other.postMadeByHand("urn:ical:1#a"))], now: noon)
      let found = try library.other.startsMadeByHand(ofSeries: "urn:ical:1")
      try expect(found.map(\.uri), Array(uris.prefix(3)))
      try expect(found.map(\.start), [noon, noon + 1, noon + 2])
    },
  ]
}

extension LibraryRecord {
  /// The same record of a post that others may see, and that changed then.
  fileprivate func showing(_ visibility: Visibility?, changedAt date: Date) -> LibraryRecord {
    guard case .post(var post) = self else { return self }
    post[.visibility] = visibility.map { .text($0.rawValue) } ?? .null
    post[.updatedAt] = .text(UTC.text(date))
    return .post(post)
  }

  /// The same record of another post, with another picture.
  fileprivate func renaming(_ blob: BlobID, to other: BlobID) -> LibraryRecord {
    guard case .post(var post) = self else { return self }
    for index in post.attachments.indices where post.attachments[index].blob?[.sha256].text == blob.hex {
      post.attachments[index].blob?[.sha256] = .text(other.hex)
    }
    post[.uri] = .text("urn:uuid:other")
    return .post(post)
  }
}
