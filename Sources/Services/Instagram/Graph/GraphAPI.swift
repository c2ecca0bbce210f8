import Posts

extension GraphSource {
  /// The name by which people choose the Graph API.
  static let apiName = "graph"

  /// An account may request 30 different hashtags within seven days
  /// (https://developers.facebook.com/docs/instagram-platform/instagram-graph-api/reference/ig-hashtag-search).
  static let hashtagLimit = SourceBounds.HashtagLimit(most: 30, window: .seconds(7 * 86_400))

  static let api = SourceAPI(
    [.tag, .search], [.countHashtags],
    bounds: SourceBounds(largestPage: largestPage, hashtags: hashtagLimit),
    limits: [.tag: "Instagram shows of a tag the posts of the last 24 hours alone"],
    help: [.search: "On Instagram a search is for a tag, \"#cats\", and returns its top posts."],
    lost: "of Instagram hashtags", rates: .meta,
    login: LoginService(
      GraphLoginProvider.init, arguments: "--source instagram --api graph --client-id ID --client-secret-stdin",
      isOfOneAPI: true, redirect: "Facebook's page for programs"),
    asking: GraphSource.init)
}
