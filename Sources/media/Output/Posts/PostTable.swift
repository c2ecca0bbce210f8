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
  ///
  /// - Parameter scores: How alike each is to what was asked for; nil where nobody asked that.
  func print(_ posts: [StoredPost], _ output: StyledConsole, scores: [Double]? = nil) throws {
    guard !posts.isEmpty else {
      return output.console.message(nothing)
    }
    let times = MomentText()
    let isNarrow = output.tableWidth < 60
    let rows = posts.enumerated().map { index, post in
      (scores.map { [Self.text($0[index])] } ?? []) + [
        "\(post.id)", isNarrow ? times.brief(post.createdAt) : times.minute(post.createdAt), post.author?.handle ?? "",
        PostText.line(post), PostText.pictures(post),
      ]
    }
    let table = Table(
      (scores == nil ? [] : [.init("ALIKE", minimum: 5, trailing: true)]) + [
        .init("ID", minimum: 2, trailing: true), .init("TIME", minimum: isNarrow ? 11 : 16),
        .init("AUTHOR", minimum: 6, ideal: 28), .init("CAPTION", minimum: 8, givesWayFirst: true),
        .init("PICS", minimum: 3),
      ], rows: rows)
    try output.print(table, isOfPosts: true)
  }

  /// `0.97`
  private static func text(_ score: Double) -> String {
    let hundredths = Int((abs(score) * 100).rounded())
    return "\(score < 0 && hundredths > 0 ? "-" : "")\(hundredths / 100).\(hundredths / 10 % 10)\(hundredths % 10)"
  }

  private var nothing: SafeText {
    if isPlanned { return "Nothing has begun yet: \"media list --planned\" shows what is planned." }
    if isDeleted, !isFiltered { return "Nothing is deleted." }
    return isFiltered ? "No post fits." : "No posts here. \"media tag cats --server mastodon.social\" pulls some."
  }
}
