import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of files that limits leave out.
public enum PictureLimitsContract {
  private static let blob = StoredBlob(id: BlobID(hashing: Array("a picture".utf8)), byteCount: 9)
  private static let small = FileLimits(maxSize: 1000)

  /// A post with a picture, a video, and a file whose name tells nothing.
  private static func mixed(_ number: Int, files: Int = 3) -> Post {
    var made = post(number)
    made.attachments = [
      Attachment(kind: .image, remoteID: "\(number)-0", url: "https://files.example/\(number).jpg"),
      Attachment(kind: .gifv, remoteID: "\(number)-1", url: "https://files.example/\(number)"),
      Attachment(kind: .file, remoteID: "\(number)-2", url: "https://files.example/\(number)?download"),
      Attachment(kind: .file, remoteID: "\(number)-3", url: "https://files.example/\(number).mp3"),
    ].prefix(files).map(\.self)
    return made
  }

  /// One pull of one page within limits.
  @discardableResult
  private static func pull(_ posts: [Post], _ limits: FileLimits, into library: NewLibrary) throws -> Saved {
    let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
    let saved = try library.store.save(page(posts), in: pull, pictures: true, limits: limits, now: noon)
    try library.store.finishPull(pull, reached: true, now: noon)
    return saved
  }

  /// Each file of a post: its state, and why a limit left it out.
  private static func states(_ id: Int64, _ library: NewLibrary) throws -> [String] {
    try require(try library.other.post(id)).post.attachments.map {
      [$0.state.rawValue, $0.leftOut?.description].compactMap(\.self).joined(separator: ": ")
    }
  }

  /// The fetcher found out that a file exceeds a limit.
  private static func exceed(_ limit: FileLimits.Limit, _ task: PictureTask, _ library: NewLibrary) throws {
    let reason = LeftOut(limit, of: task.limits)
    try library.store.leaveOut([PictureLeftOut(owner: task.owner, reason: reason, urls: task.urls)], now: noon)
  }

  /// The claims.
  public static let claims = [
    StoreClaim("files of kinds that are not wanted are left out with the page, as far as they are named") { library in
      let saved = try pull([mixed(1, files: 4)], FileLimits(only: [.video, .file]), into: library)
      try expect(saved.leftOut, 2)
      let reason = "skipped: not among the wanted kinds"
      try expect(try states(saved.posts[0], library), [reason, "pending", "pending", reason])
      try expect(
        try library.other.pictures(ofPosts: saved.posts, now: noon).map(\.limits.only),
        [[.video, .file], [.video, .file]])
      try expect(try library.other.countOfMissingPictures(of: cats, now: noon), 2)
      try expect(try library.other.missingPictures(ofPosts: saved.posts).count, 2)
    },
    StoreClaim("tries and later pulls keep to the limits of the pull that brought a file") { library in
      let ids = try pull([mixed(1, files: 1)], small, into: library).posts
      try library.pull([mixed(1, files: 1)])
      try expect(try library.other.duePictures(limit: 9, now: noon).map(\.limits), [small])
      try expect(try library.other.missingPictures(of: cats, .untried, now: noon).map(\.limits), [small])
      let task = try require(try library.other.pictures(ofPosts: ids, now: noon).first)
      _ = try library.store.fail([PictureFailure(owner: task.owner, reason: "no answer", urls: task.urls)], now: noon)
      try expect(try library.other.duePictures(limit: 9, now: noon + 9000).map(\.limits), [small])
    },
    StoreClaim("what a limit left out stays so until a pull allows more") { library in
      let ids = try pull([mixed(1, files: 1)], small, into: library).posts
      try exceed(.size, try require(try library.other.pictures(ofPosts: ids, now: noon).first), library)
      for limits in [FileLimits(), small, FileLimits(only: [.image], newest: 5), FileLimits(maxSize: 999)] {
        try expect(try pull([mixed(1, files: 1)], limits, into: library).leftOut, 0)
        try expect(try states(ids[0], library), ["skipped: larger than 1 KB"])
        try expect(try library.other.pictures(ofPosts: ids, now: noon), [])
        try expect(try library.other.pictures(ofPosts: ids, retryFailed: true, now: noon), [])
        try expect(try library.other.hasLeftOut(of: cats, reopenedBy: limits), false)
      }
      try expect(try library.other.wantsPicturesAgain(of: cats, now: noon), false)
      let wider = FileLimits(maxSize: 2000)
      try expect(try library.other.hasLeftOut(of: cats, reopenedBy: wider), true)
      try expect(try pull([mixed(1, files: 1)], wider, into: library).leftOut, -1)
      try expect(try states(ids[0], library), ["pending"])
      try expect(try library.other.duePictures(limit: 9, now: noon).map(\.limits), [wider])
    },
    StoreClaim("a kind is asked for again by a pull that wants it, and not by one that wants others") { library in
      let ids = try pull([mixed(1, files: 2)], FileLimits(only: [.image]), into: library).posts
      try pull([mixed(1, files: 2)], FileLimits(only: [.audio]), into: library)
      try expect(try states(ids[0], library), Array(repeating: "skipped: not among the wanted kinds", count: 2))
      try pull([mixed(1, files: 2)], FileLimits(only: [.audio, .video]), into: library)
      try expect(try states(ids[0], library), ["skipped: not among the wanted kinds", "pending"])
      try pull([mixed(1, files: 2)], FileLimits(only: Set(FileLimits.Kind.allCases)), into: library)
      try expect(try states(ids[0], library), ["pending", "pending"])
    },
    StoreClaim("a stored file stays, whatever a later pull wants") { library in
      let ids = try pull([mixed(1, files: 1)], FileLimits(), into: library).posts
      let task = try require(try library.other.pictures(ofPosts: ids, now: noon).first)
      try library.store.attach([(task, blob)], now: noon)
      try pull([mixed(1, files: 1)], FileLimits(only: [.audio], newest: 1), into: library)
      try exceed(.size, task, library)
      try expect(try states(ids[0], library), ["stored"])
    },
    StoreClaim("only the newest posts of the feed have files, whatever the order of the pages") { library in
      let limits = FileLimits(newest: 2)
      let ids = try pull([mixed(3, files: 1), mixed(2, files: 1), mixed(1, files: 1)], limits, into: library).posts
      try expect(try states(ids[0], library), ["skipped: not of the 2 newest posts"])
      let newest = try library.store.takeNewest(of: cats, within: limits, now: noon)
      try expect(newest, NewestPosts(posts: newest.posts, taken: 2))
      try expect(Set(newest.posts), Set(ids.prefix(2)))
      try expect(
        try ids.map { try states($0, library) }, [["pending"], ["pending"], ["skipped: not of the 2 newest posts"]])
      try library.store.delete([ids[0]], now: noon)
      try expect(try library.store.takeNewest(of: cats, within: limits, now: noon).taken, 1)
      try expect(try states(ids[2], library), ["pending"])
    },
    StoreClaim("files of posts that were not the newest come when their number is not bounded any more") { library in
      let ids = try pull([mixed(2, files: 1), mixed(1, files: 1)], FileLimits(newest: 1), into: library).posts
      try expect(try library.store.takeNewest(of: dogs, within: FileLimits(newest: 1), now: noon).posts, [])
      try pull([mixed(2, files: 1)], FileLimits(newest: FileLimits.unbounded), into: library)
      try expect(try ids.map { try states($0, library) }, [["pending"], ["skipped: not of the newest post"]])
    },
    StoreClaim("a person has what limits left out, within limits of their own") { library in
      let ids = try pull([mixed(1)], FileLimits(only: [.audio]), into: library).posts
      try exceed(.kind, try require(try library.other.pictures(ofPosts: ids, now: noon).first), library)
      try library.store.wantFiles(ofPosts: ids, within: FileLimits(only: [.video, .file]), now: noon)
      try expect(try states(ids[0], library), ["skipped: not among the wanted kinds", "pending", "pending"])
      try library.store.wantFiles(ofPosts: ids, within: FileLimits(), now: noon)
      try expect(
        try library.other.duePictures(limit: 9, now: noon).map(\.limits), Array(repeating: FileLimits(), count: 3))
      try exceed(.size, try require(try library.other.pictures(ofPosts: ids, now: noon).first), library)
      try library.store.delete(ids, now: noon)
      try library.store.wantFiles(ofPosts: ids, within: FileLimits(), now: noon)
      try expect(
        try require(try library.other.post(ids[0])).post.attachments.map(\.state), [.skipped, .pending, .pending])
    },
    StoreClaim("pages aside, pages above, and rechecks keep to the limits") { library in
      let limits = FileLimits(only: [.audio])
      let aside = try library.store.saveAside(
        page([mixed(9, files: 1)]).items, of: cats, pictures: true, limits: limits, now: noon)
      try expect([aside.leftOut, aside.posts.count], [1, 1])
      try library.pull([post(3), post(2), post(1)])
      let upward = try require(try library.store.beginIncrementalPull(of: cats, below: 1, now: noon))
      let above = try library.store.save(
        page([mixed(5, files: 1), mixed(4, files: 1), post(3)]), above: upward.anchor, in: upward.pull, pictures: true,
        limits: limits, now: noon
      ).0
      try expect(above.leftOut, 2)
      let known = try library.store.knownPosts(of: cats, limit: 9).filter { $0.remoteID == "1" }
      let found = try library.store.save(
        LookupResult(shown: page([mixed(1, files: 1)]).items), of: known, pictures: true, limits: limits, now: noon)
      try expect(try states(try require(found.edited.first), library), ["skipped: not among the wanted kinds"])
    },
    StoreClaim("a file that an edit adds keeps to the limits of the post's others") { library in
      let ids = try pull([mixed(1, files: 1)], FileLimits(maxSize: 1000, newest: 1), into: library).posts
      try library.pull([mixed(1, files: 2)])
      try expect(try states(ids[0], library), Array(repeating: "skipped: not of the newest post", count: 2))
      _ = try library.store.takeNewest(of: cats, within: FileLimits(maxSize: 1000, newest: 1), now: noon)
      try library.pull([mixed(1, files: 3)])
      let limits = try library.other.pictures(ofPosts: ids, now: noon).map(\.limits.maxSize)
      try expect(limits, [1000, 1000, 1000])
    },
    StoreClaim("a feed's own limits are known to every process, and change") { library in
      try expect(try library.other.limits(of: cats), FileLimits())
      var follow = Follow(feed: cats, every: nil, limits: small, schedule: .init(interval: .seconds(60), dueAt: nil))
      try library.store.follow(follow, now: noon)
      try expect(try library.other.limits(of: cats), small)
      try expect(try library.other.follows(), [follow])
      follow.limits = FileLimits(only: [.image], maxSize: FileLimits.unbounded, newest: 3)
      try library.store.follow([follow], now: noon)
      try expect(try library.other.follow(of: cats), follow)
      try expect(try library.other.unfollow(cats), true)
      try expect(try library.other.limits(of: cats), FileLimits())
    },
    StoreClaim("the records of a library tell why its files were left out") { library in
      let ids = try pull([mixed(1, files: 1)], small, into: library).posts
      try exceed(.size, try require(try library.other.pictures(ofPosts: ids, now: noon).first), library)
      let post = try require(try library.other.transferredPosts(after: nil, limit: 9).first)
      try expect(post.attachments.map(\.skippedFor), [.text("larger than 1 KB")])
      var other = post
      other[.uri] = .text("https://social.example/copies/1")
      (other.aliases, other.items) = ([], [])
      try library.store.beginMerge()
      try expect(try library.store.merge([.post(other)], stored: [], dryRun: false, now: noon).new, 1)
      let all = try library.other.posts(PostQuery(limit: nil)).flatMap(\.attachments)
      try expect(all.map(\.leftOut), Array(repeating: LeftOut(.size, of: small), count: 2))
    },
  ]
}
