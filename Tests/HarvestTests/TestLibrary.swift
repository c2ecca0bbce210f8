import Blobs
import Folders
import Foundation
import HTTP
import Posts
import Services
import Storage
import Synchronization
import Testing

@testable import Harvest
@testable import ScriptedOrigin

let noon = Date(timeIntervalSince1970: 1_763_640_000)

/// A clock that only sleeping advances.
final class MadeUpClock: Sendable {
  private let state = Mutex(noon)

  func pass(_ seconds: TimeInterval) { state.withLock { $0 += seconds } }

  var timekeeper: TimeSource {
    TimeSource(
      now: { self.state.withLock { $0 } },
      sleep: { wait in
        try Task.checkCancellation()
        self.pass(Double(wait.components.seconds))
      }, chance: { 0 })
  }
}

/// The events of a pull in order.
final class Witness: Sendable {
  private let state = Mutex([PullEvent]())

  var pages: Int { state.withLock { $0.count { if case .page = $0 { true } else { false } } } }

  /// The last report about pictures.
  var pictures: (done: Int, known: Int)? {
    state.withLock { events in
      for case .picture(let done, let known, _) in events.reversed() { return (done, known) }
      return nil
    }
  }

  func note(_ event: PullEvent) { state.withLock { $0.append(event) } }
}

/// A library on disk and all parts of a pull into it.
struct TestLibrary {
  let scratch: Scratch
  let folder: String
  var store: Store
  let blobs: DiskBlobs
  let clock = MadeUpClock()

  /// A library in a folder of its own, or in `folder`.
  init(in folder: String? = nil) throws {
    scratch = try Scratch()
    self.folder = folder ?? scratch.path
    store = try Store.open(library: self.folder, now: noon)
    blobs = DiskBlobs(library: self.folder)
  }

  static func feed(_ origin: Origin, _ tag: String = "cats") throws -> Feed {
    Feed(source: .mastodon, kind: .tag, value: tag, server: try #require(Server(origin.url)))
  }

  /// The network as the program uses it, except that sleeping takes no time.
  var transport: Transport { Session(agent: "media/test", environment: [:]).transport.patient(time: clock.timekeeper) }

  /// One pull of a tag.
  func pull(
    _ origin: Origin, _ plan: PullPlan = PullPlan(), tag: String = "cats", through transport: Transport? = nil,
    keeping blobs: (any BlobStoring)? = nil, witness: Witness = Witness()
  ) async throws -> PullReport {
    let feed = try Self.feed(origin, tag)
    let transport = transport ?? self.transport
    let source = MastodonSource(server: feed.server, token: nil, transport: transport, time: clock.timekeeper)
    return await pull(feed, from: source, plan, through: transport, keeping: blobs, witness: witness) {
      origin.requests(to: "/api/v1/timelines").count
    }
  }

  /// One pull from a custom source.
  func pull(
    _ feed: Feed, from source: any Source, _ plan: PullPlan, through transport: Transport? = nil,
    keeping blobs: (any BlobStoring)? = nil, witness: Witness = Witness(),
    requests: @escaping @Sendable () -> Int = { 0 }
  ) async -> PullReport {
    let pictures = PictureFetcher(
      transport: transport ?? self.transport, blobs: blobs ?? self.blobs, store: store, time: clock.timekeeper)
    let pull = FeedPull(
      source: source, store: store, pictures: pictures, time: clock.timekeeper, requests: requests)
    return await pull.run(feed, plan) { witness.note($0) }
  }

  /// Every post, newest first.
  var posts: [StoredPost] { get throws { try store.posts(PostQuery(limit: nil)) } }

  /// Number of pictures in each state.
  var states: [PictureState: Int] { get throws { try store.stats().pictures.filter { $0.value > 0 } } }

  /// The names of the files under `blobs`, as 64 digits each.
  var blobNames: Set<String> {
    let files = FileManager.default.enumerator(atPath: blobs.folder)?.compactMap { $0 as? String } ?? []
    return Set(files.filter { $0.count == 65 }.map { $0.replacing("/", with: "") })
  }
}

extension Script {
  /// Number of pictures of the newest posts.
  func pictures(ofNewest count: Int) -> Int { posts.prefix(count).map(\.attachments.count).reduce(0, +) }

  /// SHA-256 of each different picture of the newest posts.
  func hashes(ofNewest count: Int) -> Set<String> { Set(posts.prefix(count).flatMap(\.pictureHashes)) }

  /// Posts with `each` pictures of different bytes, numbered from 0, newest first.
  static func album(posts count: Int, pictures each: Int, padding: Int = 0) -> Script {
    var script = Script(posts: count)
    for index in script.posts.indices {
      script.posts[index].attachments = (0..<each).map { number in
        ScriptedAttachment(
          id: "\(index)-\(number)", picture: Picture(5 * (index * each + number), padding: padding), alt: nil)
      }
    }
    return script
  }
}
