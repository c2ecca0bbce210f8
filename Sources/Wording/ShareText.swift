/// What a share has, in words.
package struct ShareText: Sendable {
  /// `Shared 12 posts.`
  package let shared: String
  /// How many posts it leaves out, and why; nil if none.
  package let leftOut: String?

  /// The words of a share with so many posts.
  package init(posts: Int, leftOut: Int) {
    shared = "Shared \(NumberText.count(posts, "post"))."
    let why = "as not everybody may see them, or as they are sensitive, hidden or gone"
    self.leftOut = leftOut == 0 ? nil : "\(NumberText.count(leftOut, "post")) left out, \(why)."
  }
}
