import Storage
import Terminal
import Wording

/// Posts as a table.
struct PostTable {
  /// Whether the list is a part of the library.
  let isFiltered: Bool
  /// Whether all that the list would have is still to come.
  let isPlanned: Bool
  /// Whether the list is of deleted posts.
  let isDeleted: Bool

  /// Prints the posts, or what to do if there are none.
  func print(_ posts: [StoredPost], _ output: StyledConsole) throws {
    guard !posts.isEmpty else {
      return output.console.message(nothing)
    }
    let times = MomentText()
    let isNarrow = output.tableWidth < 60
    let rows = posts.map { post in
      [
        "\(post.id)", isNarrow ? times.brief(post.createdAt) : times.minute(post.createdAt), post.author?.handle ?? "",
        PostText.line(post), PostText.pictures(post),
      ]
    }
    let table = Table(
      [
        .init("ID", minimum: 2, trailing: true), .init("TIME", minimum: isNarrow ? 11 : 16),
        .init("AUTHOR", minimum: 6, ideal: 28), .init("CAPTION", minimum: 8, givesWayFirst: true),
        .init("PICS", minimum: 3),
      ], rows: rows)
    try output.print(table, isOfPosts: true)
  }

  private var nothing: SafeText {
    if isPlanned { return "Nothing has begun yet: \"media list --planned\" shows what is planned." }
    if isDeleted, !isFiltered { return "Nothing is deleted." }
    return isFiltered ? "No post fits." : "No posts here. \"media tag cats --server mastodon.social\" pulls some."
  }
}
