import Blobs
import Foundation
import Posts
import Storage

/// What a store promises of pictures.
public enum PicturesContract {
  private static let blob = StoredBlob(id: BlobID(hashing: Array("a picture".utf8)), byteCount: 9)
  private static let day: TimeInterval = 86_400

  /// A post whose author has an avatar.
  private static func faced(_ number: Int) -> Post {
    var made = post(number)
    made.author?.avatarURL = "https://files.example/ada.jpg"
    return made
  }

  /// The claims.
  public static let claims = [
    StoreClaim("each picture of a page is a task, in the order of the posts") { library in
      let ids = try library.pull([post(2, pictures: 2), post(1, pictures: 1)]).posts
      let tasks = try library.other.pictures(ofPosts: ids, now: noon)
      try expect(tasks.flatMap(\.urls), ["2-0", "2-1", "1-0"].map { "https://files.example/\($0).jpg" })
      try expect(tasks.map(\.post), [ids[0], ids[0], ids[1]])
    },
    StoreClaim("a post's verbatim answer is told by its number") { library in
      let ids = try library.pull([post(1)]).posts
      try expect(try library.other.raw(ofPost: ids[0]), Array("{\"uri\":\"\(post(1).uri)\"}".utf8))
      try expect(try library.other.raw(ofPost: ids[0] + 1), nil)
    },
    StoreClaim("a stored picture is no task any more, and its post shows it") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
      try library.store.attach([(task, blob)], now: noon)
      try expect(try library.other.pictures(ofPosts: ids, now: noon).isEmpty, true)
      try expect(try library.other.post(ids[0])?.post.attachments.first?.blob, blob.id)
      try expect(try library.other.blobTotals(), BlobTotals(count: 1, bytes: 9))
    },
    StoreClaim("a late result does not replace the picture that an edit brought") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
      var edited = post(1, caption: "edited", pictures: 1)
      edited.attachments = [Attachment(kind: .image, remoteID: "other", url: "https://files.example/other.jpg")]
      try library.pull([edited])
      try library.store.attach([(task, blob)], now: noon)
      try expect(try library.other.post(ids[0])?.post.attachments.first?.blob, nil)
      try expect(
        try library.other.pictures(ofPosts: ids, now: noon).flatMap(\.urls), ["https://files.example/other.jpg"])
    },
    StoreClaim("a failed picture waits longer each time") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      var now = noon
      var waits: [TimeInterval] = []
      for _ in 0..<3 {
        let task = try require(try library.store.pictures(ofPosts: ids, now: now).first)
        _ = try library.store.fail([PictureFailure(owner: task.owner, reason: "no answer")], now: now)
        var wait: TimeInterval = 0
        while try library.store.pictures(ofPosts: ids, now: now + wait).isEmpty, wait < 40 * day { wait += 60 }
        waits.append(wait)
        now += wait
      }
      try expect(waits, waits.sorted())
      try expect(waits[0] > 0 && waits[0] < waits[2], true)
    },
    StoreClaim("a picture is gone only when a day later it is gone still") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
      let gone = PictureFailure(owner: task.owner, reason: "404", isGone: true)
      try expect(try library.store.fail([gone], now: noon), 0)
      try expect(try library.store.fail([gone], now: noon + 3600), 0)
      try expect(try library.store.fail([gone], now: noon + day), 1)
      try expect(try library.store.pictures(ofPosts: ids, now: noon + 90 * day).isEmpty, true)
      try expect(try library.store.pictures(ofPosts: ids, retryFailed: true, now: noon).count, 1)
    },
    StoreClaim("a delay is no failed attempt") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      let task = try require(try library.store.pictures(ofPosts: ids, now: noon).first)
      let failure = PictureFailure(owner: task.owner, reason: "503")
      try library.store.putOff([PictureDelay(failure, until: noon + 300)], now: noon)
      try expect(try library.store.duePictures(limit: 9, now: noon + 299).isEmpty, true)
      try expect(try library.store.duePictures(limit: 9, now: noon + 300).count, 1)
    },
    StoreClaim("deleted posts have no pictures to fetch") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      try library.store.delete(ids, now: noon)
      try expect(try library.other.pictures(ofPosts: ids, now: noon).isEmpty, true)
      try expect(try library.other.duePictures(limit: 9, now: noon).isEmpty, true)
    },
    StoreClaim("missing pictures are counted by feed") { library in
      try library.pull([post(2, pictures: 2), post(1)])
      try library.pull([post(9)], of: dogs)
      try expect(try library.other.countOfMissingPictures(of: cats, now: noon), 2)
      try expect(try library.other.countsOfMissingPictures(.wanted, of: nil, now: noon), [cats.name: 2])
      try expect(try library.other.hasUntriedPictures(of: cats, now: noon), true)
      try expect(try library.other.hasUntriedPictures(of: dogs, now: noon), false)
    },
    StoreClaim("an attachment's picture is known by its number, with its state") { library in
      let id = try library.pull([post(1, pictures: 1)]).posts[0]
      let attachment = try require(try library.other.post(id)?.post.attachments.first?.id)
      let pending = try require(try library.other.picture(ofAttachment: attachment))
      try expect([pending.id, pending.post], [attachment, id])
      try expect(pending.state, .pending)
      _ = try library.store.fail([PictureFailure(owner: .attachment(attachment), reason: "no answer")], now: noon)
      let failed = try require(try library.other.picture(ofAttachment: attachment))
      try expect(failed.state, .failed)
      try expect(failed.failure, "no answer")
      try expect(failed.attempts, 1)
      try expect(try require(failed.nextTryAt) > noon, true)
      try expect(try library.other.picture(ofAttachment: 404_404), nil)
    },
    StoreClaim("a stored blob is known by its name, with its length and type") { library in
      let ids = try library.pull([post(1, pictures: 1)]).posts
      let tasks = try library.store.pictures(ofPosts: ids, now: noon)
      try expect(try library.other.blob(blob.id), nil)
      try library.store.attach([(tasks[0], blob)], now: noon)
      let stored = try require(try library.other.blob(blob.id))
      try expect(stored.byteCount, blob.byteCount)
      try expect(stored.mediaType, blob.mediaType)
    },
    StoreClaim("posts tell which of their pictures are missing, and why") { library in
      let ids = try library.pull([post(2, pictures: 1), post(1, pictures: 1)]).posts
      let tasks = try library.store.pictures(ofPosts: ids, now: noon)
      try library.store.attach([(tasks[0], blob)], now: noon)
      _ = try library.store.fail([PictureFailure(owner: tasks[1].owner, reason: "no answer")], now: noon)
      let missing = try library.other.missingPictures(ofPosts: ids)
      try expect(missing.map(\.post), [ids[1]])
      try expect(missing.map(\.kind), [.pending])
      try expect(missing[0].detail.contains("no answer"), true)
    },
    StoreClaim("missing pictures are told apart by what became of them") { library in
      let ids = try library.pull([post(3, pictures: 1), post(2, pictures: 1), post(1, pictures: 1)]).posts
      let tasks = try library.store.pictures(ofPosts: ids, now: noon)
      let gone = PictureFailure(owner: tasks[2].owner, reason: "404", isGone: true)
      for moment in [noon, noon + 2 * day] { _ = try library.store.fail([gone], now: moment) }
      let later = noon + 2 * day
      _ = try library.store.fail([PictureFailure(owner: tasks[1].owner, reason: "no answer")], now: later)
      let counts = try [MissingPictures.untried, .due, .wanted, .all].map { which in
        try library.other.missingPictures(of: cats, which, now: later).count
      }
      try expect(counts, [1, 1, 2, 3])
      try expect(try library.other.missingPictures(of: cats, .due, now: later + 90 * day).count, 2)
      try expect(try library.other.countOfMissingPictures(), 2)
    },
    StoreClaim("each author's avatar is missing once, until it is stored") { library in
      let ids = try library.pull([faced(2), faced(1)]).posts
      let tasks = try library.other.avatars(ofPosts: ids, retryFailed: false, now: noon)
      try expect(tasks.flatMap(\.urls), ["https://files.example/ada.jpg"])
      try expect(try library.other.missingAvatars(of: cats, .untried, now: noon), tasks)
      try library.store.attach([(tasks[0], blob)], now: noon)
      try expect(try library.other.avatars(ofPosts: ids, retryFailed: true, now: noon), [])
      try expect(try library.other.missingAvatars(of: cats, .all, now: noon), [])
      try expect(try library.other.post(ids[0])?.post.author?.avatar, blob.id)
    },
    StoreClaim("pictures that a pull skipped are wanted when they are asked for") { library in
      let pull = try library.store.beginPull(of: cats, goal: PullGoal(pages: 1), now: noon)
      let ids = try library.store.save(page([post(1, pictures: 1)]), in: pull, pictures: false, now: noon).posts
      try expect(try library.other.wantsPicturesAgain(of: cats, now: noon), true)
      try expect(try library.other.duePictures(limit: 9, now: noon), [])
      let task = try require(try library.other.pictures(ofPosts: ids, now: noon).first)
      try expect(
        try library.other.pictures(ofPosts: ids, retryFailed: false, gone: nil, skipped: false, now: noon), [])
      try library.store.attach([(task, blob)], now: noon)
      try expect(try library.other.wantsPicturesAgain(of: cats, now: noon), false)
    },
  ]
}
