import FoundationEssentials
import Machine
import MediaLibrary
import Posts
import Storage

/// A window of a list as JSON. Most fields are parallel arrays with an element for each row, which is a third of the size of
/// an object for each. What few rows have is listed by the post's number.
///
/// The position of a row, for `around`, is its element of `positions`, else `at`, a point and `id`.
struct WindowAnswer: Encodable, Sendable {
  /// The parameters of the list.
  let query: String
  /// What it is called.
  let title: String
  /// The same without a filter.
  let heading: String
  /// The terms of its filter.
  let terms: [ListTerm]
  /// What the filter names that is not there, as a sentence; nil if all is.
  let unknown: String?
  /// How many rows the list has.
  let total: Int
  /// Whether it has more than `total`.
  let isMore: Bool
  /// Up to when the list was looked through so far, as a date; nil for all of it.
  let looked: String?
  /// What it leaves out because it is hidden; nil where that is nothing, or marks are not told.
  let hidden: HiddenLink?
  /// Whether the list has rows before these.
  let before: Bool
  /// Whether the list has rows after these.
  let after: Bool
  /// The album whose order the rows have; nil for another order.
  let album: String?
  /// The positions of the rows in an album or a sorted list, which sort as texts; nil where the newest is first.
  let positions: [String]?
  /// The numbers of the posts.
  var id: [Int64] = []
  /// When they were written, in milliseconds since 1970.
  var at: [Int64] = []
  /// The seconds by which the clock here is ahead of UTC when they were written: the index of a row from which on they are
  /// others, and their number.
  var shifts: [[Int]] = []
  /// The index of the author in `authors`; -1 for none.
  var author: [Int] = []
  var authors: [Author] = []
  /// The beginning of the text.
  var caption: [String] = []
  /// The indices of the tags in `tagNames`.
  var tags: [[Int]] = []
  var tagNames: [String] = []
  /// How many attachments each post has.
  var files: [Int] = []
  /// The kind of the first attachment; nil if the post has none.
  var kind: [String?] = []
  /// Width over height of the first attachment; nil if unknown.
  var ratio: [Double?] = []
  var blurhash: [String?] = []
  /// The name of the stored blob of the first attachment.
  var blob: [String?] = []
  /// The beginning of the alt text of the first attachment.
  var alt: [String?] = []
  /// When posts with an end are over, in milliseconds since 1970.
  var ends: [String: Int64] = [:]
  /// The seconds by which the clock here is ahead of UTC then.
  var endShifts: [String: Int] = [:]
  /// Headlines.
  var titles: [String: String] = [:]
  /// The content warnings; empty text for a post that is only marked as sensitive.
  var warnings: [String: String] = [:]
  /// The first attachments that are not stored.
  var missing: [String: Missing] = [:]
  /// The posts in the window that a person deleted.
  var deleted: [Int64] = []
  /// The posts in the window that are gone from their server.
  var gone: [Int64] = []
  /// Who may see them, of the posts in the window that not everybody may see.
  var seenBy: [String: SeenBy] = [:]

  /// What the person has made of the posts in the window; nothing where marks are not told. Favourites:
  var favourites: [Int64] = []
  /// The posts that they have seen.
  var seen: [Int64] = []
  /// Ratings from 1 to 5.
  var ratings: [String: Int] = [:]
  /// Tags of their own.
  var ownTags: [String: [String]] = [:]
  /// How many posts show a picture of the post, where others do.
  var shared: [String: Int] = [:]
  /// How many posts are left out for the post, because they are the same at other networks.
  var folded: [String: Int] = [:]
  /// The posts that a search finds only with the text in their pictures.
  var inPicture: [Int64] = []

  struct Author: Encodable, Sendable {
    let handle: String
    let name: String
    /// The name of the stored avatar's blob.
    let avatar: String?
  }

  /// Who may see a post: the word that marks it, and what it means.
  struct SeenBy: Encodable, Sendable {
    let mark: String
    let explanation: String
  }

  /// Why a picture is not shown.
  struct Missing: Encodable, Sendable {
    let state: String
    let failure: String?
  }

  /// A window of a list.
  ///
  /// - Parameters:
  ///   - textLength: How many bytes its texts have at most.
  ///   - showsMarks: Whether it tells what the person has made of posts.
  init(_ window: ListWindow, of list: ListAddress, textLength: Int, showsMarks: Bool) {
    let snapshot = window.snapshot
    (album, positions) = (window.album?.name, window.positions)
    (query, terms, unknown) = (list.query, list.terms, window.unknown)
    (title, heading) = (album ?? list.title, album ?? list.heading)
    switch snapshot.total {
    case .exactly(let count): (total, isMore) = (count, false)
    case .moreThan(let count): (total, isMore) = (count, true)
    }
    looked = window.looked
    hidden = showsMarks ? HiddenLink(snapshot.hidden, of: list) : nil
    (before, after) = (snapshot.hasMoreBefore, snapshot.hasMoreAfter)
    var (authorIndices, tagIndices): ([Int64: Int], [String: Int]) = ([:], [:])
    for row in snapshot.rows {
      add(row.post, textLength)
      if showsMarks { add(row.post.marks, of: row.post.id) }
      // The others may be posts that whoever looks must not know of.
      if row.post.isFoundInPicture { inPicture.append(row.post.id) }
      if showsMarks, row.post.foldedPosts > 0 { folded["\(row.post.id)"] = row.post.foldedPosts }
      if showsMarks, row.post.postsShowingIt > 1 { shared["\(row.post.id)"] = row.post.postsShowingIt }
      author.append(row.post.author.map { index(of: $0, &authorIndices) } ?? -1)
      tags.append(row.post.tags.map { index(of: $0, &tagIndices) })
    }
  }

  private mutating func add(_ post: StoredPost, _ textLength: Int) {
    let cover = post.attachments.first
    id.append(post.id)
    at.append(post.createdAt.millis)
    let shift = Self.clock.offset(at: post.createdAt)
    if shift != shifts.last?.last { shifts.append([at.count - 1, shift]) }
    // A post without a picture shows its text instead.
    caption.append(post.caption.beginning(bytes: cover == nil ? max(textLength, Self.wholeTile) : textLength))
    files.append(post.attachments.count)
    kind.append(cover?.kind.rawValue)
    ratio.append(cover?.ratio)
    blurhash.append(cover?.blurhash)
    blob.append(cover?.blob?.hex)
    // The two texts share their room.
    alt.append(cover?.alt?.beginning(bytes: max(textLength - post.caption.utf8.count, textLength / 4)))
    ends["\(post.id)"] = post.endsAt?.millis
    endShifts["\(post.id)"] = post.endsAt.map(Self.clock.offset)
    titles["\(post.id)"] = post.title?.beginning(bytes: Self.wholeTile)
    if post.sensitive || !post.warning.isEmpty {
      warnings["\(post.id)"] = post.warning.beginning(bytes: Self.wholeTile)
    }
    if let cover, cover.blob == nil || cover.state != .stored {
      let reason = cover.leftOut?.description ?? cover.failure
      missing["\(post.id)"] = Missing(state: cover.state.rawValue, failure: reason?.beginning(bytes: 200))
    }
    if post.isDeleted { deleted.append(post.id) }
    if post.goneAt != nil { gone.append(post.id) }
    if let mark = post.visibility?.mark, let explanation = post.visibility?.explanation {
      seenBy["\(post.id)"] = SeenBy(mark: mark, explanation: explanation)
    }
  }

  private mutating func add(_ marks: PostMarks, of post: Int64) {
    if marks.isFavourite { favourites.append(post) }
    if marks.seenAt != nil { seen.append(post) }
    if marks.rating > 0 { ratings["\(post)"] = marks.rating }
    if !marks.ownTags.isEmpty { ownTags["\(post)"] = marks.ownTags }
  }

  private static let clock = ZoneCalendar()

  /// How many bytes of text a tile has room for.
  private static let wholeTile = 400

  private mutating func index(of author: StoredAuthor, _ indices: inout [Int64: Int]) -> Int {
    if let index = indices[author.id] { return index }
    indices[author.id] = authors.count
    authors.append(Author(handle: author.shownHandle, name: author.shownName, avatar: author.avatar?.hex))
    return authors.count - 1
  }

  private mutating func index(of tag: String, _ indices: inout [String: Int]) -> Int {
    if let index = indices[tag] { return index }
    indices[tag] = tagNames.count
    tagNames.append(tag)
    return tagNames.count - 1
  }
}

extension StoredAttachment {
  /// Width over height, to three digits; nil if unknown.
  fileprivate var ratio: Double? {
    guard let width, let height, width > 0, height > 0 else { return nil }
    return Double(width * 1000 / height) / 1000
  }
}

extension String {
  /// Its first characters, which take at most so many bytes; with an ellipsis if something is left out.
  func beginning(bytes: Int) -> String {
    guard utf8.count > bytes else { return self }
    var (end, length) = (startIndex, 0)
    while end < endIndex {
      let next = index(after: end)
      length += utf8.distance(from: end, to: next)
      if length > bytes { break }
      end = next
    }
    return self[..<end] + "…"
  }
}
