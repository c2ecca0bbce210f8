import Web
import Wording

/// A number of posts as the list behind it has them, with those that are planned beside it.
enum PlannedCount {
  /// How many posts the list has, of which some may begin later and are left out.
  static func listed(_ count: Int, planned: Int?) -> Int { max(count - (planned ?? 0), 0) }

  /// - Parameters:
  ///   - count: The number of all posts that are not hidden.
  ///   - planned: How many of them begin later, which lists leave out.
  static func html(_ count: Int, planned: Int?) -> HTML {
    let listed = listed(count, planned: planned)
    let rest: HTML = planned.map { " <span class=\"soft\">and \(NumberText.grouped($0)) planned</span>" } ?? ""
    return """
      <span class="number" title="\(NumberText.count(listed, "post"))">\(NumberText.grouped(listed))\(rest)</span>
      """
  }
}
