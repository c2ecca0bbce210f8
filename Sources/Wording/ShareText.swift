/// What a share has, in words.
package struct ShareText: Sendable {
  /// `Shared 12 posts.`
  package let shared: String
  /// How many posts it leaves out, and why; nil if none.
  package let leftOut: String?

  /// The words of a share with so many posts.
  package init(posts: Int, leftOut: Int) {
    shared = "Shared \(NumberText.count(posts, "post"))."
    let them = leftOut == 1 ? ("it", "it is") : ("them", "they are")
    self.leftOut =
      leftOut == 0
      ? nil
      : "\(NumberText.count(leftOut, "post")) left out, as not everybody may see \(them.0), or as \(them.1) sensitive, hidden or gone."
  }
}
