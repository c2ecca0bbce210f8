import Browse
import FoundationEssentials
import MediaLibrary
import Posts
import Synchronization
import Wording

/// Which list is shown, and its feeds.
final class BrowsingState: Sendable {
  /// The list that is shown.
  struct Shown: Sendable {
    /// The list without what is searched for in it.
    var list: PostListQuery
    /// What is searched for in it.
    var search: PostFilter?
    var feeds: [Feed]
    /// Whether the feeds are all of the list's feeds in the library, not a single chosen one.
    var isOpen = false
    /// What begins after this moment is planned, and not on the list yet.
    var moment = Date.distantPast

    /// The posts to read.
    var query: PostListQuery {
      var query = list
      if let search {
        query.filter = PostFilter(
          .conjunction((list.filter?.filter.parts ?? []) + search.filter.parts), now: search.now, searchesNotes: true)
      }
      return query.listed(at: moment)
    }

    /// Changes to the posts of a tag or feed, or to all posts, in the same order and form.
    mutating func open(tag: String? = nil, feed: Feed? = nil) {
      var other = PostListQuery(tag: tag, feed: feed, grouping: list.grouping)
      other.isFolded = list.isFolded
      (list, search) = (other, nil)
    }

    /// The scope as the screen names it.
    var scope: ListScope {
      let isNamed = list.tag != nil || list.feed != nil
      let origin = feeds.count == 1 && isNamed ? feeds[0].server.name : feeds.first?.spoken ?? ""
      return ListScope(
        title: title, origin: feeds.count > 1 ? "\(feeds.count) feeds" : origin, canRefresh: !feeds.isEmpty,
        canPullOlder: feeds.count == 1, searcher: searcher?.server.name ?? "", isWhole: parts.isEmpty)
    }

    /// A feed of the server that can search.
    var searcher: Feed? { feeds.first { $0.source.has(.search, at: $0.server) } }

    private var title: String { parts.isEmpty ? "All posts" : parts.joined(separator: " · ") }

    /// What limits the list, as text: its feed, tags, user, day and filter.
    private var parts: [String] {
      let day = list.within.map { MomentText().minute($0.start).prefix(10) }
      let tags = list.tags.isEmpty ? nil : list.tags.map { "#\($0)" }.joined(separator: " ")
      return [
        list.feed?.title, tags, list.user.map { "@\($0)" }, day.map(String.init),
        list.filter?.filter.description,
      ].compactMap(\.self)
    }
  }

  private let state: Mutex<Shown>
  private let pull = Mutex<Task<Void, Never>?>(nil)

  /// The initial state.
  ///
  /// - Parameters:
  ///   - known: The library's feeds.
  ///   - now: The current time.
  init(list: PostListQuery, search: PostFilter?, known: [Feed], now: Date) {
    state = Mutex(
      Shown(
        list: list, search: search, feeds: Self.feeds(of: list, among: known), isOpen: list.feed == nil, moment: now))
  }

  /// The library's feeds that bring a list's posts.
  private static func feeds(of list: PostListQuery, among known: [Feed]) -> [Feed] {
    if let feed = list.feed { return feed.isPulled ? [feed] : [] }
    if !list.tags.isEmpty { return known.filter { $0.kind == .tag && list.tags.contains($0.value) } }
    return list.user == nil && list.within == nil ? known : []
  }

  /// Applies the library's current feeds. Returns the new scope if the list's feeds changed.
  func join(_ known: [Feed]) -> ListScope? {
    state.withLock { shown in
      let feeds = Self.feeds(of: shown.list, among: known)
      guard shown.isOpen, feeds != shown.feeds else { return nil }
      shown.feeds = feeds
      return shown.scope
    }
  }

  /// Shows all posts of the library.
  func showAll(_ known: [Feed]) {
    change { shown in
      shown.open()
      shown.isOpen = true
      shown.feeds = Self.feeds(of: shown.list, among: known)
    }
  }

  var shown: Shown { state.withLock(\.self) }

  /// Runs a pull that `endPull`, or the end of the calling task, cancels.
  func pulling(_ body: @escaping @Sendable () async -> Void) async {
    let task = Task(operation: body)
    pull.withLock { $0 = task }
    await withTaskCancellationHandler {
      await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels the pull under way. Stored posts stay.
  func endPull() { pull.withLock { $0?.cancel() } }

  func change(_ edit: (inout Shown) -> Void) { state.withLock { edit(&$0) } }
}

extension Store {
  /// The feeds that bring posts to lists. A feed that never brought any, such as a mistyped one, is pulled only by hand.
  func feedsOfLists() throws -> [Feed] { try feeds().filter { try $0.isPulled && hasPosts(of: $0) } }
}

extension Feed {
  /// The name of its list.
  var title: String {
    switch kind {
    case .tag: "#\(value)"
    case .user: "@\(value)"
    case .search: "\u{201C}\(value)\u{201D}"
    case .url, .import: spoken
    }
  }

  /// The text to type for its list.
  var written: String {
    switch kind {
    case .tag: "\(value)@\(origin)"
    case .user: "@\(value)@\(origin)"
    case .search, .url, .import: name
    }
  }

  /// Its server, preceded by its source if necessary.
  private var origin: String { source == .usual ? server.name : "\(source.rawValue)+\(server.name)" }
}
