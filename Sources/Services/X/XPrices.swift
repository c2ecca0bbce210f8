import Posts

extension Prices {
  /// X's prices in API v2 for each post, account and picture in an answer, including those that accompany the requested
  /// posts (https://docs.x.com/x-api/getting-started/pricing, as of November 2026). X charges the same one once a day
  /// but does not promise it, so it is not counted on.
  static let x = Prices(
    lookUp: Lookup(usual: post, most: post + author + picture * mostPictures),
    page: { feed, size in
      let least = feed.kind == .user ? 5 : 10
      let posts = min(max(least, size ?? XSource.largestPage), XSource.largestPage)
      let others = posts * mostReferences
      // A user's posts have one author, who was looked up before.
      let authors = (feed.kind == .user ? 2 : posts) + others
      let most = post * (posts + others) + author * authors + picture * ((posts + others) * mostPictures)
      // Each post of a search may repeat one that comes along and is charged. Other feeds request no repeats, but the
      // posts that they quote and answer still come along and are charged: X has no way to request less.
      return Page(posts: posts, usual: post * (2 * posts), most: most)
    },
    paid: { page in
      if let held = page.contents {
        return post * held.posts + author * held.authors + picture * held.attachments
      }
      let posts = page.items.compactMap(\.post)
      let unread = page.items.count - posts.count
      let authors = Set(posts.compactMap(\.author?.uri)).count + unread
      let pictures = posts.reduce(0) { $0 + $1.attachments.count } + unread * mostPictures
      return post * page.items.count + author * authors + picture * pictures
    })

  private static let post = Price(mills: 5)
  private static let author = Price(mills: 10)
  private static let picture = Price(mills: 5)
  /// The most files that X allows in a post.
  private static let mostPictures = 4
  /// A post may answer one and quote another. A repeat does neither.
  private static let mostReferences = 2
}
