import Blobs
import FoundationEssentials
import HTTP
import Posts
import Storage

/// Allows one pull per feed among all processes that use a library.
///
/// Uses kernel locks on empty files in the library's `locks` folder. They end with their process, however it ends, so that
/// none is left behind. In a library that machines share, leases take their place: `shared(by:)`.
public struct FeedLocks: Sendable {
  /// A feed's lock, held until this is released.
  public struct Held: Sendable {
    fileprivate var file: LockFile?
    fileprivate var lease: HeldLease?
    /// A pull adds pictures: meanwhile no process may remove any.
    fileprivate let pictures: LockFile
  }

  /// The pause between attempts to get a held lock.
  private static let pause = Duration.milliseconds(100)

  private let folder: LockFolder
  private let pictures: PictureLock
  /// The leases of a library that machines share.
  private var leases: Leases?

  /// The locks of the library in a folder. They stay valid when the folder is renamed.
  public init(library: OpenDirectory) {
    folder = LockFolder(library: library)
    pictures = PictureLock(library: library)
  }

  /// The locks of the library that is in a folder now.
  public init(library: String) { self.init(library: OpenDirectory(library)) }

  /// The locks of the same library for a store of it: its leases, if machines share it.
  public func shared(by store: Store) -> FeedLocks {
    var locks = self
    locks.leases = store.leases
    return locks
  }

  /// Holds the feed once no process removes pictures and no other pull holds it. Throws `FeedInUse` if that takes longer
  /// than `patience`; nil waits without limit. Calls `onWait` once if it has to wait.
  public func hold(
    _ feed: Feed, within patience: Duration? = nil, time: TimeSource, onWait: @Sendable () -> Void
  ) async throws -> Held {
    var waits = Waits(most: patience)
    let sharing = try await pictures.share(time: time) { try waits.next(onWait) }
    while let leases {
      if let lease = try await HeldLease.take(Self.leaseName(feed), of: leases, time: time) {
        return Held(lease: lease, pictures: sharing)
      }
      try waits.next(onWait)
      try await time.sleep(Self.pause)
    }
    let file = try folder.open(name(of: feed))
    while !file.lock() {
      try waits.next(onWait)
      try await time.sleep(Self.pause)
    }
    return Held(file: file, pictures: sharing)
  }

  /// The waits for one feed, each of length `pause`.
  private struct Waits {
    private var left: Int?
    private var hasWaited = false

    init(most: Duration?) { left = most.map { Int($0 / FeedLocks.pause) } }

    mutating func next(_ onWait: () -> Void) throws {
      if !hasWaited { onWait() }
      hasWaited = true
      guard let left else { return }
      guard left > 0 else { throw FeedInUse() }
      self.left = left - 1
    }
  }

  /// Whether a pull holds the feed.
  public func isHeld(_ feed: Feed) -> Bool {
    if let leases { return ((try? leases.leaseHolder(Self.leaseName(feed))) ?? nil) != nil }
    return folder.isLocked(name(of: feed))
  }

  private static func leaseName(_ feed: Feed) -> String { "feed:\(feed.name)" }

  private func name(of feed: Feed) -> String { "feed-\(String(Self.fnv1a(feed.name), radix: 16)).lock" }

  /// 64 bits of FNV-1a (https://www.rfc-editor.org/rfc/rfc9923): two feeds with the same hash only wait for each other, and
  /// a check for a held feed loads no cryptography library.
  private static func fnv1a(_ text: String) -> UInt64 {
    text.utf8.reduce(0xcbf2_9ce4_8422_2325) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
  }
}

/// Another process pulls the feed and does not finish.
public struct FeedInUse: ExplainedError, Equatable {
  /// The reason.
  public var summary: String { "another command has been pulling it all the while" }
  /// What to do.
  public var cure: String? { "what it brings is stored; see whether it was stopped, the next harvest asks again" }
  /// Retrying later helps.
  public var exitCode: ExitCode { .tryLater }
}
