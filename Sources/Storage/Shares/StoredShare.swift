import Filters
import FoundationEssentials
import Machine
import Posts
import Rows

/// What a share shows only where its maker asks for it.
public enum SharedExtra: String, Sendable, CaseIterable {
  /// Posts that are gone from their servers.
  case gone
  /// Posts that the person hid.
  case hidden
  /// Posts whose pictures are hidden until a click.
  case sensitive
}

/// A share that is to be made: a page for a friend, with posts that everybody may see.
public struct ShareDraft: Sendable {
  /// What the page is called.
  public var title: String
  /// The posts. A filter that is exactly one album shares the album, in its order.
  public var filter: Filter
  /// Whether it shows what the filter finds whenever somebody looks, instead of what it finds when the share is made.
  public var isLive = false
  /// Whether it has the files as they are stored.
  public var hasOriginals = false
  /// What else it shows.
  public var shows: Set<SharedExtra> = []
  /// The hash of its password, as text; nil for none.
  public var passwordHash: String?
  /// When it ends; nil for never.
  public var endsAt: Date?

  /// A share of posts.
  ///
  /// - Parameters:
  ///   - filter: The posts.
  ///   - title: What the page is called; nil or empty for the name of the album or saved search. Other filters lend it no
  ///     name: they may tell what the person marked.
  public init(of filter: Filter, title: String? = nil) {
    let given = title.flatMap { $0.trimmingWhiteSpace.isEmpty ? nil : $0 }
    (self.filter, self.title) = (filter, given ?? filter.name(of: .album) ?? filter.name(of: .saved) ?? "Posts")
  }
}

/// A share that was made.
public struct StoredShare: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// What the page is called.
  public let title: String
  /// The name of the album that it shows; nil for a filter, and for an album that was deleted.
  public let album: String?
  /// The filter that chooses its posts; nil for an album.
  public let filter: String?
  /// Whether it follows its album or filter.
  public let isLive: Bool
  /// Whether it has the files as they are stored.
  public let hasOriginals: Bool
  /// What else it shows.
  public let shows: Set<SharedExtra>
  /// The hash of its password, as text; nil for none.
  public let passwordHash: String?
  /// When it was made.
  public let madeAt: Date
  /// When it ends; nil for never.
  public let endsAt: Date?
  /// When it was revoked; nil if it was not.
  public let revokedAt: Date?
  let albumID: Int64?

  /// Whether it shows what a draft says, under the same title. Of passwords it is known only whether there is one.
  public func isMade(of draft: ShareDraft) -> Bool {
    let name = draft.filter.name(of: .album)
    let isSame = name.map { $0.lowercased() == album?.lowercased() } ?? (filter == draft.filter.description)
    return isSame && title == MarkName.plain(draft.title) && isLive == (name != nil || draft.isLive)
      && hasOriginals == draft.hasOriginals && shows == draft.shows && hasPassword == (draft.passwordHash != nil)
  }

  /// Whether it asks for a password.
  public var hasPassword: Bool { passwordHash != nil }

  /// Whether somebody who has its address sees it at a moment.
  public func isOpen(at now: Date) -> Bool {
    revokedAt == nil && endsAt.map { now < $0 } ?? true && (albumID == nil || album != nil)
  }
}

extension StoredShare: RowDecodable {
  package init(_ row: some RowReading) throws {
    let shown: String = try row["shows"]
    id = try row["id"]
    title = try row["title"]
    album = try row["album_name"]
    albumID = try row["album"]
    filter = try row["filter"]
    hasOriginals = try row["has_originals"]
    isLive = try row["is_live"]
    shows = Set(shown.split(separator: " ").compactMap { SharedExtra(rawValue: String($0)) })
    passwordHash = try row["password_hash"]
    madeAt = UTC.date(try row["made_at"]) ?? .distantPast
    endsAt = try row.date("ends_at")
    revokedAt = try row.date("revoked_at")
  }
}

extension Filter {
  /// The name in a filter that is exactly one term of a key with one name; nil for any other filter.
  package func name(of key: FilterKey) -> String? {
    guard case .term(let term) = self, term.key == key, term.values.count == 1, case .word(let name) = term.values[0]
    else { return nil }
    return name
  }
}
