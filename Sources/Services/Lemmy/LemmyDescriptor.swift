import Posts

extension SourceName {
  /// Lemmy, PieFed, and servers that speak their APIs.
  public static let lemmy = SourceName(rawValue: "lemmy")
}

extension SourceDescriptor {
  static let lemmy = SourceDescriptor(
    .lemmy, of: .mastodon, displayName: "Lemmy", summary: "Lemmy and PieFed", note: "PieFed too",
    pages: WebPages(
      tags: [], users: ["u/*"], groups: ["c/*"], groupMark: LemmySource.communityMark,
      posts: ["post/#", "c/*/p/#", "c/*/p/#/*"]),
    software: ["lemmy", "piefed"],
    SourceAPI(
      [.tag, .user, .search],
      bounds: SourceBounds(largestPage: LemmySource.largestPage, mostLookedUp: LemmySource.largestLookup),
      limits: [
        .tag:
          "Lemmy lists no tags: a search finds posts that contain it, and \"media user '!NAME'\" pulls a community whole"
      ],
      help: [
        .tag: "At Lemmy, posts that contain #TAG are searched for.", .user: "At Lemmy, !NAME is a community.",
      ],
      login: LoginService(LemmyLoginProvider.init), make: LemmySource.init),
    visibility: LemmyPost.visibility)
}
