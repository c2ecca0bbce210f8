import Browse
import Filters
import FoundationEssentials
import Machine
import MediaLibrary
import Posts

/// Marks posts for the list.
struct MarkPerformer {
  let store: Store
  let now: Date

  static let marker = Marker(machine: MachineName.current, program: .terminal)

  /// Makes posts favourites; if all of them are, none any more.
  func toggleFavourites(_ posts: [Int64]) throws -> UserAction {
    var favourites = PostListQuery(deleted: .included)
    favourites.filter = PostFilter(.term(Filter.Term(.is, [.word("favourite")])), now: now)
    let liked = try store.members(of: favourites, among: Set(posts), byAuthors: [])
    return try mark(posts, [.favourite(liked.count < Set(posts).count)])
  }

  func mark(_ posts: [Int64], _ marks: [Mark]) throws -> UserAction {
    let marking = try store.mark(posts, marks, by: Self.marker, now: now)
    return .marked(marking.changed, .marked(marks), changes: [marking.change].compactMap(\.self))
  }

  /// Adds posts to an album.
  ///
  /// - Parameter makes: Whether an album that is missing is made.
  func add(_ posts: [Int64], toAlbum name: String, makes: Bool) throws -> UserAction {
    var made: Int64?
    do { if makes { made = try store.createAlbum(name, by: Self.marker, now: now).change } } catch MarkError.albumExists
    {
      // Somebody made it meanwhile.
    }
    let marking = try store.add(posts, toAlbum: name, by: Self.marker, now: now)
    return .marked(
      marking.changed, .added(name, isNew: made != nil), changes: [made, marking.change].compactMap(\.self))
  }

  func hide(_ posts: [Int64], _ names: [HiddenName]) throws -> UserAction {
    let (marking, changed) = try store.hide(posts, names, by: Self.marker, now: now)
    return .marked(
      marking.changed, .hidden(changed.map(\.text)), changes: [marking.change].compactMap(\.self))
  }

  func call(_ posts: [Int64], _ verdict: SameVerdict) throws -> UserAction {
    let marking = try store.set(verdict, ofPosts: posts, by: Self.marker, now: now)
    return .marked(
      marking.changed, .called(verdict, joined: marking.joined), changes: [marking.change].compactMap(\.self))
  }

  /// Takes changes back, the last one first.
  func undo(_ changes: [Int64]) throws -> UserAction {
    var posts: Set<Int64> = []
    var isPart = false
    for change in changes.reversed() {
      guard let undone = try store.undo(change, by: Self.marker, now: now) else { continue }
      posts.formUnion(undone.posts)
      isPart = isPart || undone.kept > 0
    }
    return .unmarked(posts.sorted(), isPart: isPart)
  }
}

/// Albums, saved searches and feeds among the lists to choose from.
enum SortedList {
  /// The feeds that have posts and can be typed.
  static func feeds(in store: Store) throws -> [Feed] {
    try store.feeds().filter { try $0.isPulled && $0.kind != .url && store.hasPosts(of: $0) }
  }

  /// Their names, as people type them: `saved:good`, `in:"Our holidays"`.
  static func names(in store: Store) throws -> [String] {
    let albums = try store.albumNames().map { Filter.Term(.album, [.word($0)]) }
    let searches = try store.savedSearches().map { Filter.Term(.saved, [.word($0.name)]) }
    return (albums + searches).map { Filter.term($0).description }
  }

  /// The filter of a list that was typed; nil if it is no album and no saved search.
  static func filter(_ text: String, in store: Store, at now: Date) throws -> PostFilter? {
    guard ["\(FilterKey.album.rawValue):", "\(FilterKey.saved.rawValue):"].contains(where: text.lowercased().hasPrefix)
    else { return nil }
    let filter = try PostFilters.filter(text, at: now)
    for term in filter.filter.terms {
      for case .word(let name) in term.values {
        let isNamed = { (other: String) in other.lowercased() == name.lowercased() }
        if term.key == .album, try !store.albumNames().contains(where: isNamed) {
          throw MarkError.noAlbum(name, nearest: nil)
        }
        if term.key == .saved, try !store.savedSearches().contains(where: { isNamed($0.name) }) {
          throw MarkError.noSearch(name, nearest: nil)
        }
      }
    }
    return filter
  }
}
