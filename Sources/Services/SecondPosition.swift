import FoundationEssentials
import Posts

/// Where a page begins at a server that pages by seconds, of which several posts share one: the next page begins at the second of
/// the last post, and leaves out the posts of that second that the page before had.
struct SecondPosition: Equatable {
  /// The second that is sent.
  let bound: Int
  /// The page among the posts of that second alone; nil if older posts are asked for, too.
  var page: Int?
  /// The posts of the second that were read.
  var known: [String] = []

  /// The second and the id of a post, as far as it has them.
  struct Mark {
    let second: Int?
    let id: String?

    init(_ item: PageItem, second: Int? = nil) {
      id = item.id
      self.second = second ?? item.post.map { Int($0.createdAt.timeIntervalSince1970) }
    }
  }

  /// Reads `1795165201`, or `p2,34,12?1795165201` with the page and the known posts before the question mark; nil for anything
  /// else.
  init?(_ cursor: Cursor) {
    let halves = cursor.value.split(separator: "?", maxSplits: 1)
    guard let last = halves.last, let bound = Int(last), bound > 0 else { return nil }
    self.bound = bound
    guard halves.count > 1 else { return }
    known = halves[0].split(separator: ",").map(String.init)
    guard let first = known.first, first.hasPrefix("p"), let page = Int(first.dropFirst()), page > 0 else { return }
    self.page = page
    known.removeFirst()
  }

  /// Reads the cursor that a pull goes on from.
  init(_ cursor: Cursor, from server: Server) throws(SourceError) {
    guard let position = SecondPosition(cursor) else {
      throw .unreadable(server, reason: "a cursor of another source was to be continued")
    }
    self = position
  }

  init(_ bound: Int, page: Int? = nil, known: [String] = []) {
    (self.bound, self.page, self.known) = (bound, page, known)
  }

  var cursor: Cursor {
    let own = (page.map { ["p\($0)"] } ?? []) + known
    return Cursor(own.isEmpty ? "\(bound)" : "\(own.joined(separator: ","))?\(bound)")
  }

  /// The page that begins here. Nobody posted before 1970, whatever a server says.
  private var next: Next { bound > 0 ? .after(cursor) : .horizon }

  /// How a server reads the second.
  enum Reach: Equatable {
    /// Posts before it. More posts of one second than a page holds cannot be asked for.
    case before
    /// Posts up to it, those of the second included. Its posts can be asked for page by page; whether this page is full.
    case upTo(isFull: Bool)
  }

  /// What follows a page of posts with these marks, those read before among them.
  static func next(after position: SecondPosition?, _ marks: [Mark], _ reach: Reach) -> Next {
    let step = reach == .before ? 1 : 0
    guard !marks.isEmpty else {
      guard let position, position.page != nil else { return .end }
      return SecondPosition(position.bound - 1).next
    }
    let seconds = marks.compactMap(\.second)
    guard let last = seconds.last else { return .refused(reason: "its next page cannot be named") }
    if let position {
      let newest = position.bound - step
      if seconds.contains(where: { $0 > newest || (position.page != nil && $0 < newest) }) {
        return .astray(reason: "its pages do not move on")
      }
      if seconds.allSatisfy({ $0 == newest }) {
        // The rest of a second that fills the page is asked for by itself, or cannot be asked for.
        guard reach == .upTo(isFull: true) else { return SecondPosition(position.bound - 1).next }
        let known = position.page == nil ? marks.compactMap(\.id) : []
        return SecondPosition(position.bound, page: (position.page ?? 0) + 1, known: known).next
      }
    }
    let known = marks.filter { $0.second == last }.compactMap(\.id)
    return SecondPosition(last + step, known: known).next
  }
}
