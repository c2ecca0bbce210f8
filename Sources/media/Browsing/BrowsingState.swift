import Browse
import MediaLibrary
import Posts
import Synchronization

/// Which list is shown, and which feeds bring it.
final class BrowsingState: Sendable {
  /// What is shown.
  struct Shown: Sendable {
    /// Without the words that are searched for.
    var list: PostListQuery
    var search: String
    var feeds: [Feed]
    /// Whether the feeds are those that the library has of the list, and no single one that was chosen.
    var isOpen = false

    /// The posts that are read.
    var query: PostListQuery {
      var query = list
      query.search = search.isEmpty ? nil : search
      return query
    }

    /// What the screen calls it.
    var place: ListPlace {
      let isNamed = list.tag != nil || list.feed != nil
      let origin = feeds.count == 1 && isNamed ? feeds[0].server.name : feeds.first?.spoken ?? ""
      return ListPlace(
        title: title, origin: feeds.count > 1 ? "\(feeds.count) feeds" : origin, canRefresh: !feeds.isEmpty,
        canPullOlder: feeds.count == 1, searcher: searcher?.server.name ?? "", isWhole: parts.isEmpty)
    }

    /// A feed of the server that can be asked for words.
    var searcher: Feed? { feeds.first { $0.source.has(.search, at: $0.server) } }

    private var title: String {
      if let feed = list.feed { return feed.title }
      return parts.isEmpty ? "All posts" : parts.joined(separator: " · ")
    }

    /// What takes posts out of the library.
    private var parts: [String] {
      let day = list.day.map { TimeText().short($0.start).prefix(10) }
      let tags = list.tags.isEmpty ? nil : list.tags.map { "#\($0)" }.joined(separator: " ")
      return [
        list.feed?.title, tags, list.user.map { "@\($0)" }, day.map(String.init),
      ].compactMap(\.self)
    }
  }

  private let state: Mutex<Shown>
  private let pull = Mutex<Task<Void, Never>?>(nil)

  /// What is shown first; `known` are the library's feeds.
  init(list: PostListQuery, search: String, known: [Feed]) {
    state = Mutex(
      Shown(list: list, search: search, feeds: Self.feeds(of: list, among: known), isOpen: list.feed == nil))
  }

  /// Which of the library's feeds bring a list's posts.
  private static func feeds(of list: PostListQuery, among known: [Feed]) -> [Feed] {
    if let feed = list.feed { return [feed] }
    if !list.tags.isEmpty { return known.filter { $0.kind == .tag && list.tags.contains($0.value) } }
    return list.user == nil && list.day == nil ? known : []
  }

  /// Takes the feeds that the library has now; the place where others than before bring what is shown.
  func join(_ known: [Feed]) -> ListPlace? {
    state.withLock { shown in
      let feeds = Self.feeds(of: shown.list, among: known)
      guard shown.isOpen, feeds != shown.feeds else { return nil }
      shown.feeds = feeds
      return shown.place
    }
  }

  /// Shows all posts of the library.
  func showAll(_ known: [Feed]) {
    change { shown in
      shown.list = PostListQuery(grouping: shown.list.grouping)
      (shown.search, shown.isOpen) = ("", true)
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

  /// Ends the pull that is under way: what it stored stays.
  func endPull() { pull.withLock { $0?.cancel() } }

  func change(_ edit: (inout Shown) -> Void) { state.withLock { edit(&$0) } }
}

extension Store {
  /// The feeds that bring posts to lists. One that never brought any, such as a misspelt one, is asked by hand alone.
  func feedsOfLists() throws -> [Feed] { try feeds().filter { try hasPosts(of: $0) } }
}

extension Feed {
  /// What people call its list.
  var title: String {
    switch kind {
    case .tag: "#\(value)"
    case .user: "@\(value)"
    case .search: "\u{201C}\(value)\u{201D}"
    case .url: spoken
    }
  }

  /// How people write it where a list is chosen.
  var written: String {
    switch kind {
    case .tag: "\(value)@\(place)"
    case .user: "@\(value)@\(place)"
    case .search, .url: name
    }
  }

  /// Its server, with its source before it where that must be told.
  private var place: String { source == .mastodon ? server.name : "\(source.rawValue)+\(server.name)" }
}
