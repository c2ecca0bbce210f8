import FoundationEssentials

/// All posts of the demo and their timelines. A value: the server keeps one behind a lock.
struct World: Sendable {
  private(set) var posts: [Int64: DemoPost] = [:]
  private var timelines: [Timeline: [Int64]] = [:]
  /// First ids by later ids.
  private var laterIDs: [Int64: Int64] = [:]
  /// What happened to posts that are no boosts, in this order; empty unless it is kept.
  private(set) var events: [Event] = []
  /// Whether a stream tells what happened. Each event holds a post, so they are kept for nothing else.
  private let keepsEvents: Bool
  let author: Author
  private var written: Int

  /// The timelines that clients can page through.
  enum Timeline: Hashable, Sendable {
    case everything
    case tag(String)
    case person(Int)
  }

  /// Something that happened to a post.
  struct Event: Sendable {
    enum Kind: String { case create, update, delete }

    let kind: Kind
    let time: Date
    /// The post as it was then.
    let post: DemoPost
  }

  /// `count` posts that all carry the common tag, and boosts of a few of them.
  init(count: Int, seed: UInt64, start: Date, keepsEvents: Bool = true) {
    self.keepsEvents = keepsEvents
    author = Author(seed: seed)
    written = count
    var times = PostingTimes(count: count, before: start, seed: seed)
    let originals = (0..<count).map { author.post($0, at: times.next()) }
    let boosts = World.boosts(of: originals, seed: seed, before: start)
    for post in (originals + boosts).sorted(by: { $0.id < $1.id }) { add(post) }
  }

  /// Ids of a timeline, oldest first.
  func ids(on timeline: Timeline) -> [Int64] { timelines[timeline] ?? [] }

  /// Ids of several timelines together, each once, oldest first.
  func ids(on timelines: [Timeline]) -> [Int64] {
    guard timelines.count > 1 else { return timelines.first.map(ids) ?? [] }
    return Set(timelines.flatMap(ids)).sorted()
  }

  /// Every tag with the number of its posts, the most used first.
  var tags: [(name: String, count: Int)] {
    timelines.compactMap { timeline, ids in
      if case .tag(let name) = timeline { (name, ids.count) } else { nil }
    }
    .sorted { ($1.count, $0.name) < ($0.count, $1.name) }
  }

  /// The first id of a post that has a later one; any other id is returned as it is.
  func firstID(_ id: Int64) -> Int64 { laterIDs[id] ?? id }

  /// The post with an id, whether it is its first one or a later one.
  func post(_ id: Int64) -> DemoPost? { posts[firstID(id)] }

  /// The post a boost repeats, or the post itself.
  func original(of post: DemoPost) -> DemoPost { post.boosts.flatMap { posts[$0] } ?? post }

  /// The next post, written now.
  mutating func write(at time: Date) -> DemoPost {
    let post = author.post(written, at: time.roundedDown)
    written += 1
    add(post)
    return post
  }

  /// Replaces a post's text by another of its author's kind, and keeps the earlier one.
  mutating func edit(_ id: Int64, at time: Date, _ dice: inout Dice, renumbering: Bool = false) {
    guard let post = posts[id] else { return }
    let caption = author.edited(post.caption, language: post.person.language, &dice)
    edit(id, to: caption, at: time, renumbering: renumbering)
  }

  /// Replaces a post's text and keeps the earlier one. With `renumbering`, the post gets another id.
  mutating func edit(_ id: Int64, to caption: Caption, at time: Date, renumbering: Bool) {
    guard var post = posts[id], post.boosts == nil else { return }
    let before = timelinesShowing(post)
    post.history.append(DemoPost.Revision(caption: post.caption, writtenAt: post.editedAt ?? post.createdAt))
    (post.caption, post.editedAt) = (caption, time.roundedDown)
    if renumbering {
      let later = DemoPost.id(at: time, sequence: post.number)
      post.laterID = later
      laterIDs[later] = id
    }
    posts[id] = post
    keep(.update, of: post, at: time.roundedDown)
    let after = timelinesShowing(post)
    for timeline in before where !after.contains(timeline) { timelines[timeline]?.removeAll { $0 == id } }
    for timeline in after where !before.contains(timeline) {
      timelines[timeline] = ((timelines[timeline] ?? []) + [id]).sorted()
    }
  }

  /// Removes a post and its boosts from every timeline.
  mutating func delete(_ id: Int64, at time: Date) {
    if let post = posts[id] { keep(.delete, of: post, at: time.roundedDown) }
    let gone = posts.values.filter { $0.id == id || $0.boosts == id }
    for post in gone {
      for timeline in timelinesShowing(post) { timelines[timeline]?.removeAll { $0 == post.id } }
    }
    for post in gone { posts[post.id] = nil }
  }

  /// Ids only grow, so a new post goes to the end of a timeline.
  private mutating func add(_ post: DemoPost) {
    posts[post.id] = post
    keep(.create, of: post, at: post.createdAt)
    for timeline in timelinesShowing(post) { timelines[timeline, default: []].append(post.id) }
  }

  private mutating func keep(_ kind: Event.Kind, of post: DemoPost, at time: Date) {
    guard keepsEvents, post.boosts == nil else { return }
    events.append(Event(kind: kind, time: time, post: post))
  }

  /// A boost is on the timelines of its original's tags, too, but not on the common one: that contains each post once, so
  /// that newcomers can count it.
  private func timelinesShowing(_ post: DemoPost) -> [Timeline] {
    let tags = original(of: post).tags.filter { post.boosts == nil || $0 != Author.commonTag }
    return [.everything, .person(post.author)] + tags.map(Timeline.tag)
  }

  private static func boosts(of originals: [DemoPost], seed: UInt64, before start: Date) -> [DemoPost] {
    var dice = Dice(seed: seed, subject: 0xb0057)
    return originals.enumerated().compactMap { number, post in
      let later = post.createdAt.addingTimeInterval(Double(dice.between(600, 40_000))).roundedDown
      guard dice.chance(3), later < start.addingTimeInterval(-200) else { return nil }
      let person = (post.author + 1 + dice.below(Person.everyone.count - 1)) % Person.everyone.count
      let id = DemoPost.id(at: later, sequence: 0x8000 | number & 0x7fff)
      return DemoPost(
        id: id,
        author: person,
        createdAt: later,
        caption: Caption(parts: []),
        boosts: post.id
      )
    }
  }
}
