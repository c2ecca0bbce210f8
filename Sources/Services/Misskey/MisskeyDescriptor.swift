import Posts

extension SourceName {
  /// Misskey, and servers that speak its API.
  public static let misskey = SourceName(rawValue: "misskey")
}

extension SourceDescriptor {
  static let misskey = SourceDescriptor(
    .misskey, of: .mastodon, displayName: "Misskey", summary: "Misskey, and servers that speak its API",
    note: "CherryPick and others too", pages: pages,
    // Those that speak Mastodon's API, too, are asked by it first.
    software: [
      "misskey", "cherrypick", "sharkey", "firefish", "iceshrimp", "iceshrimp.net", "calckey", "foundkey", "magnetar",
      "catodon", "hajkey", "meisskey", "yojo-art", "kakikey", "rosekey",
    ],
    SourceAPI(
      [.tag, .user, .search], [.continueBelowIDs],
      bounds: SourceBounds(largestPage: MisskeySource.largestPage, mostLookedUp: MisskeySource.largestLookup),
      help: [.search: "Misskey searches without a login, unless its server lets nobody search."],
      login: LoginService(MisskeyLoginProvider.init), make: MisskeySource.init),
    downloads: [.misskey], visibility: MisskeyNote.visibility)

  /// Users and tags as Mastodon writes them, and notes.
  private static let pages = WebPages(
    tags: ["tags/*"], users: ["@*", "@*/notes", "@*/files", "@*/all"], posts: ["notes/#"])
}
