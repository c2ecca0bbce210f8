import Blobs
import Folders
import Foundation
import Posts
import PropertyTesting
import Storage

/// A library on the disk that was made by pulls and by a person, at random from a seed.
struct RandomLibrary {
  let scratch: Scratch
  let store: Store
  let blobs: DiskBlobs
  private(set) var now = Date(timeIntervalSince1970: 1_763_640_000)

  /// An empty library.
  init() throws {
    scratch = try Scratch()
    store = try Store.open(library: scratch.path, now: now)
    blobs = DiskBlobs(library: scratch.path)
  }

  private static let server = Server("https://social.example")!
  static let feeds = [
    Feed(source: .usual, kind: .tag, value: "cats", server: server),
    Feed(source: .usual, kind: .user, value: "ada", server: server),
    Feed(source: .usual, kind: .tag, value: "dogs", server: Server("https://dogs.example")!),
  ]

  /// Does as many things at random.
  mutating func live(_ steps: Int, _ dice: inout Dice) throws {
    for _ in 0..<steps {
      now += Double(1 + dice.below(100_000))
      switch dice.below(8) {
      case 0...3: try pull(&dice)
      case 4: try write(&dice)
      case 5: try change(&dice)
      case 6:
        _ = try store.follow(
          Follow(
            feed: Self.feeds[dice.below(3)], every: nil, limits: Self.limits(&dice),
            schedule: Follow.Schedule(interval: .seconds(900), dueAt: now)),
          now: now)
        try store.set("avatars", to: ["on", "off"][dice.below(2)])
        try store.set("cache", to: "10MB")
      default: try fetch(&dice)
      }
    }
  }

  /// Pages of a feed, newest first; sometimes the pull is interrupted.
  private func pull(_ dice: inout Dice) throws {
    let feed = Self.feeds[dice.below(3)]
    let top = 20 + dice.below(60)
    let pull = try store.beginPull(of: feed, goal: PullGoal(pages: 5), now: now)
    var next = top
    for page in 0..<(1 + dice.below(3)) {
      let numbers = (0..<(1 + dice.below(8))).map { next - $0 }
      next = (numbers.last ?? next) - 1 - (dice.below(4) == 0 ? 5 : 0)
      let items = numbers.map { item($0, of: feed, &dice) }
      let end: Next = page == 2 && dice.below(3) == 0 ? .end : .after(Cursor("\(next)"))
      _ = try store.save(
        Page(items: items, next: end), in: pull, pictures: dice.below(4) > 0, limits: Self.limits(&dice), now: now)
    }
    try store.finishPull(pull, reached: dice.below(3) > 0, now: now)
  }

  /// Limits, sometimes.
  private static func limits(_ dice: inout Dice) -> FileLimits {
    switch dice.below(6) {
    case 0: FileLimits(only: [.audio, .video])
    case 1: FileLimits(only: [.image], maxSize: 50_000_000)
    case 2: FileLimits(newest: 3)
    default: FileLimits()
    }
  }

  private func item(_ number: Int, of feed: Feed, _ dice: inout Dice) -> PageItem {
    let id = "\(number)"
    if dice.below(12) == 0 {
      return PageItem(id: id, content: .unreadable(reason: "it is odd"), raw: [0xFF, 0x00, UInt8(number)])
    }
    let raw = Array("{\"id\":\"\(number)\",\"text\":\"é\"}".utf8)
    var item = PageItem(id: id, content: .post(post(number, at: feed.server, &dice)), raw: raw)
    if dice.below(8) == 0 {
      item.repetition = Repetition(by: author(dice.below(5), at: feed.server), at: now)
      item.id = "r\(number)"
    }
    if dice.below(8) == 0 { item.quoted = Quotation(uri: uri(number - 3, at: feed.server), url: nil) }
    item.pinned = dice.below(20) == 0
    return item
  }

  private func uri(_ number: Int, at server: Server) -> String { "\(server.origin)/statuses/\(number)" }

  private func author(_ number: Int, at server: Server) -> Author {
    Author(
      uri: "\(server.origin)/users/\(number)", handle: "user\(number)@\(server.host)", name: "Usér \(number)",
      avatarURL: number == 0 ? nil : "https://files.example/avatar\(number).png")
  }

  private func post(_ number: Int, at server: Server, _ dice: inout Dice) -> Post {
    let tags = Array(["cats", "dogs", "größe", "猫"].shuffled(using: &dice).prefix(dice.below(4)))
    let created = Date(timeIntervalSince1970: 1_700_000_000 + Double(number) * 61.5)
    let pictures = (0..<(number % 3)).map { position in
      Attachment(
        kind: .image, remoteID: "\(number)-\(position)", url: "https://files.example/\(number)-\(position).jpg",
        alt: position == 0 ? "a \"cat\"\n\t\u{1}" : nil, width: 400, height: 300)
    }
    return Post(
      source: .usual, uri: uri(number, at: server), url: "\(server.origin)/@user/\(number)", server: server,
      remoteID: "\(number)", author: author(number % 5, at: server), createdAt: created,
      editedAt: dice.below(4) == 0 ? now : nil, title: dice.below(6) == 0 ? "A title" : nil,
      caption: "post \(number) \\ \u{2028} 👩🏽‍🚀 \(dice.below(3))", captionHTML: "<p>\(number) \(dice.below(3))</p>",
      warning: dice.below(6) == 0 ? "loud" : "", sensitive: dice.below(5) == 0, language: "en", tags: tags,
      attachments: pictures)
  }

  /// A post by hand, sometimes with a file.
  private func write(_ dice: inout Dice) throws {
    var post = Post(
      source: .manual, uri: "", createdAt: now, endsAt: dice.below(2) == 0 ? now + 3600 : nil, title: "By hand",
      caption: "note \(dice.below(1000))", tags: ["mine"])
    var pictures: [StoredBlob] = []
    if dice.below(2) == 0 {
      pictures = [try keep(Array("file \(dice.below(5))".utf8))]
      post.attachments = [Attachment(kind: .file, url: nil, alt: "a file", name: "notes.txt")]
    }
    let id = UUID(uuid: withUnsafeBytes(of: (dice.next(), dice.next())) { $0.load(as: uuid_t.self) })
    try store.add(post, id: id, pictures: pictures, now: now)
  }

  func keep(_ bytes: [UInt8]) throws -> StoredBlob {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    let header = try draft.header()
    let kept = try blobs.keep([draft])[0]
    return StoredBlob(id: kept.id, byteCount: kept.byteCount, header: header)
  }

  /// Deletes or restores a post.
  private func change(_ dice: inout Dice) throws {
    let posts = try store.posts(PostQuery(limit: nil, deleted: .included))
    guard let post = posts.randomElement(using: &dice) else { return }
    _ = try post.isDeleted ? store.restore([post.id], now: now) : store.delete([post.id], now: now)
  }

  /// Stores some pictures, and fails at others.
  private func fetch(_ dice: inout Dice) throws {
    let posts = try store.posts(PostQuery(limit: 10)).map(\.id)
    let tasks = try store.pictures(ofPosts: posts, now: now) + store.avatars(ofPosts: posts, now: now)
    for task in tasks {
      if dice.below(8) == 0, case .attachment = task.owner {
        let reason = LeftOut(.size, of: FileLimits(maxSize: 1000))
        try store.leaveOut([PictureLeftOut(owner: task.owner, reason: reason, urls: task.urls)], now: now)
      } else if dice.below(4) == 0 {
        let failure = PictureFailure(
          owner: task.owner, reason: "it is tired", isGone: dice.below(2) == 0, urls: task.urls)
        try store.fail([failure], now: now)
      } else {
        // A picture of 40 by 30 pixels (https://www.w3.org/Graphics/GIF/spec-gif89a.txt).
        let kept = try keep(Array("GIF89a(\u{0}\u{1E}\u{0}\u{0}\u{0}\u{0}, the picture of \(task.urls[0]);".utf8))
        try store.attach([(task, kept)], now: now)
      }
    }
  }
}
