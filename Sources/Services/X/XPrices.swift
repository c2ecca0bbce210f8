import Posts

extension Prices {
  /// What X charges by its API v2, for each post, account and picture in an answer, those beside the posts that were
  /// asked for among them (https://docs.x.com/x-api/getting-started/pricing, as of November 2026). That X charges for the
  /// same one once a day is no promise of it, and is not counted on.
  static let x = Prices(
    lookUp: LookUp(usual: post, most: post + author + picture * mostPictures),
    page: { feed, size in
      let least = feed.kind == .user ? 5 : 10
      let posts = min(max(least, size ?? XSource.largestPage), XSource.largestPage)
      let others = posts * mostReferences
      // A user's posts have one author, who is looked up before.
      let authors = (feed.kind == .user ? 2 : posts) + others
      let most = post * (posts + others) + author * authors + picture * ((posts + others) * mostPictures)
      // Of a search each may repeat a post, which comes along and is charged. Other feeds ask for no repetitions, and
      // what their posts quote and answer comes along and is charged all the same: X knows no way to ask for less.
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
  /// As many as X lets people put under a post.
  private static let mostPictures = 4
  /// A post may answer one and quote another; one that repeats does neither.
  private static let mostReferences = 2
}
