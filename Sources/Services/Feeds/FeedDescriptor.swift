import Posts

extension SourceName {
  /// RSS, Atom and JSON feeds.
  public static let feed = SourceName.ofAddresses
}

extension SourceDescriptor {
  static let feed = SourceDescriptor(
    .feed, displayName: "Feeds", summary: "RSS, Atom and JSON feeds", identity: .page,
    polling: PollingRule(isOfDocument: true),
    SourceAPI(
      [.url], [.recordVisits], bounds: SourceBounds(), lost: "of RSS, Atom and JSON feeds", make: FeedSource.init),
    visibility: { DownloadedPost($0).visibility })
}
