import Machine
import Posts
import Storage

/// The numbers of a site's posts, newest first, and which lists have them.
struct SiteLists {
  private(set) var posts: [Int64] = []
  /// By `2026-01`, in UTC, as the pages say their times.
  private(set) var months: [String: [Int64]] = [:]
  /// By the tag as it is compared.
  private(set) var tags: [String: [Int64]] = [:]
  /// By handle.
  private(set) var authors: [String: [Int64]] = [:]

  mutating func add(_ post: StoredPost) {
    posts.append(post.id)
    months[String(UTC.text(post.createdAt).prefix(7)), default: []].append(post.id)
    if let author = post.author { authors[author.handle, default: []].append(post.id) }
    for tag in Set(post.tags.map(Feed.tagName)) { tags[tag, default: []].append(post.id) }
  }

  /// `January 2026`.
  static func name(ofMonth month: String) -> String {
    let parts = month.split(separator: "-").compactMap { Int($0) }
    guard parts.count == 2, (1...12).contains(parts[1]) else { return month }
    return "\(LocalCalendar.months[parts[1] - 1]) \(month.prefix(4))"
  }
}
