import FoundationEssentials
import Storage
import Terminal
import Wording

/// What is planned, as a table: today is marked, and what is under way.
struct PlannedTable {
  let now: Date
  private let times = MomentText()

  init(now: Date) { self.now = now }

  /// Prints the entries, or that there are none.
  func print(_ posts: [StoredPost], _ output: StyledConsole) throws {
    guard !posts.isEmpty else {
      return output.console.message("Nothing is planned. \"media plan NAME --start TIME\" plans an entry.")
    }
    let rows = posts.map { post in
      [
        "\(post.id)", times.range(post.createdAt, post.endsAt), mark(post), PostText.line(post),
        PostText.pictures(post),
      ]
    }
    let table = Table(
      [
        .init("ID", minimum: 2, trailing: true), .init("TIME", minimum: 16), .init("", minimum: 3),
        .init("ENTRY", minimum: 8, givesWayFirst: true), .init("FILES", minimum: 3),
      ], rows: rows)
    try output.print(table, isOfPosts: true)
  }

  /// `now` for what is under way, `today` for what begins today.
  private func mark(_ post: StoredPost) -> String {
    if post.createdAt <= now { return "now" }
    return times.calendar.isSameDay(post.createdAt, now) ? "today" : ""
  }
}
