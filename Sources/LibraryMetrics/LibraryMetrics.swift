import FoundationEssentials
import Posts
import Storage

extension [Metric] {
  /// How many feeds have lines of their own: those that were read longest ago. The others are counted.
  package static let mostFeeds = 200

  /// What is known of a library. No label holds an address, a name of a person or a tag.
  ///
  /// - Parameters:
  ///   - store: The library.
  ///   - folder: A folder on the disk whose room counts.
  ///   - version: The version of the program.
  ///   - waiting: How many changes wait to be sent to each of its copies.
  package init(of store: Store, folder: String, version: String, waiting: [Int]) throws {
    let (stats, follows, numbers) = (try store.stats(), try store.follows(), try store.feedNumbers())
    // A harvest that is running says nothing of the next ones.
    let runs = try store.runs(limit: 10)
    self = [
      Metric("media_build_info", "The version of the program that tells this", [.init(1, [("version", version)])]),
      Metric("media_posts", "Posts that are not deleted", stats.posts),
      Metric("media_posts_deleted", "Posts that a person deleted", stats.deleted),
      Metric("media_authors", "Authors of posts", stats.authors),
      Metric("media_tags", "Different tags", stats.tags),
      Metric("media_items_unreadable", "Items of feeds that could not be read", stats.unreadable),
      Metric(
        "media_attachments", "Pictures, videos and files of posts by state",
        PictureState.allCases.map { .init(Double(stats.pictures[$0] ?? 0), [("state", $0.rawValue)]) }),
      Metric("media_blobs", "Different stored pictures and files, avatars included", stats.blobs),
      Metric("media_blobs_bytes", "The size of all stored pictures and files", stats.blobBytes),
      Metric("media_gaps", "Known gaps of feeds", try store.gaps(of: nil) { _ in false }.count),
      Metric(
        "media_copy_waiting_changes", "Changes that wait to be sent to a copy of the library, by its number",
        waiting.enumerated().map { .init(Double($1), [("copy", "\($0 + 1)")]) }),
    ]
    append(contentsOf: Self.disk(of: folder))
    append(contentsOf: Self.feeds(follows, numbers))
    if let newest = runs.first {
      append(
        Metric(
          "media_harvest_start_timestamp_seconds", "When the newest harvest began",
          [.init(newest.startedAt.timeIntervalSince1970.rounded())]))
    }
    append(contentsOf: runs.first { $0.state != .open }.map(Self.harvest) ?? [])
  }

  private static func disk(of folder: String) -> [Metric] {
    guard let room = DiskRoom(of: folder) else { return [] }
    return [
      Metric("media_disk_free_bytes", "The room on the library's disk", Int(room.free)),
      Metric("media_disk_size_bytes", "The size of the library's disk", Int(room.size)),
    ]
  }

  private static func feeds(_ follows: [Follow], _ numbers: [String: Int64]) -> [Metric] {
    let states = Dictionary(grouping: follows, by: \.schedule.state)
    let oldest = follows.sorted {
      ($0.schedule.pulledAt ?? .distantPast) < ($1.schedule.pulledAt ?? .distantPast)
    }.prefix(mostFeeds)
    func perFeed(_ value: (Follow.Schedule) -> Double?) -> [Metric.Sample] {
      oldest.compactMap { follow in
        let feed = follow.feed
        // Names of feeds tell what a person reads: their numbers stand for them.
        guard let value = value(follow.schedule), let number = numbers[feed.name] else { return nil }
        return .init(value, [("feed", "\(number)"), ("kind", feed.kind.rawValue), ("host", feed.server.host)])
      }
    }
    return [
      Metric(
        "media_feeds", "Followed feeds by state",
        Follow.State.all.map { .init(Double(states[$0]?.count ?? 0), [("state", $0.rawValue)]) }),
      Metric("media_feeds_unlisted", "Followed feeds without lines of their own", follows.count - oldest.count),
      Metric(
        "media_feed_last_success_timestamp_seconds",
        "When the newest posts of a followed feed were last read, by its number in the library",
        perFeed { $0.pulledAt?.timeIntervalSince1970.rounded() }),
      Metric(
        "media_feed_failures", "How often in a row reading a followed feed failed", perFeed { Double($0.failures) }),
    ]
  }

  private static func harvest(_ run: HarvestRun) -> [Metric] {
    let counts = run.counts
    return [
      Metric(
        "media_harvest_duration_seconds", "How long the last harvest took",
        run.finishedAt.map { [.init($0.timeIntervalSince(run.startedAt))] } ?? []),
      Metric(
        "media_harvest_success", "Whether the last harvest ended, and no feed of it failed",
        run.state == .done && run.failed == 0 ? 1 : 0),
      Metric(
        "media_harvest_posts", "Posts of the last harvest by what became of them",
        [
          ("new", counts.new), ("updated", counts.updated), ("unchanged", counts.unchanged),
          ("unreadable", counts.unreadable),
        ].map { .init(Double($1), [("result", $0)]) }),
      Metric(
        "media_harvest_pictures", "Pictures of the last harvest by what became of them",
        [("stored", counts.pictures), ("failed", counts.picturesFailed)].map { .init(Double($1), [("result", $0)]) }),
      Metric("media_harvest_feeds_failed", "Feeds that failed in the last harvest", run.failed),
      Metric("media_harvest_feeds_put_off", "Feeds that the last harvest left to the next one", run.putOff),
      Metric("media_harvest_requests", "Requests for pages in the last harvest", counts.requests),
      Metric("media_harvest_received_bytes", "Bytes received by the last harvest", Int(counts.bytes)),
      Metric(
        "media_harvest_waited_seconds", "How long requests of the last harvest waited for servers",
        [.init(run.waited / .seconds(1))]),
    ]
  }
}

extension Follow.State {
  /// All states: one without a feed is told, too, so that rules see it come and go.
  fileprivate static let all: [Follow.State] = [.new, .well, .failing, .limited, .login, .gone]
}
