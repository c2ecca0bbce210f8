import Blobs
import Foundation
import Glibc
import HTTP
import Posts

/// One harvest at a time in a library, among all processes.
///
/// A kernel lock on the file `harvest` in the library's `locks` folder, as those of feeds: it ends with its process. The
/// file tells when the lock was taken.
public struct HarvestLock: Sendable {
  /// The lock, until this is let go.
  public final class Held: Sendable {
    private let file: Int32
    init(file: Int32) { self.file = file }
    deinit { LockFile.letGo(file) }
  }

  /// How often a held lock is asked for again.
  private static let pause = Duration.milliseconds(200)

  private let folder: LockFolder
  private static let name = "harvest"

  /// The lock of the library in a folder. It stays its lock when the folder is renamed.
  public init(library: HeldFolder) { folder = LockFolder(library: library) }

  /// The lock of the library that is in a folder now.
  public init(library: String) { self.init(library: HeldFolder(library)) }

  /// Takes the lock; throws `HarvestUnderWay` where another process has it.
  public func take(now: Date) throws -> Held {
    let file = try folder.open(Self.name)
    let held = Held(file: file)
    guard Self.lock(file) else {
      throw HarvestUnderWay(holder: PictureLock.holder(of: file), since: Self.since(of: file), seenAt: now)
    }
    let text = Array(UTC.text(now).utf8)
    if ftruncate(file, 0) == 0 { _ = pwrite(file, text, text.count, 0) }
    return held
  }

  /// Takes the lock as soon as it is free; throws `HarvestUnderWay` where it is not within `patience`, nil being for ever.
  /// `onWait` is called once, where there is a wait at all.
  public func take(
    within patience: Duration?, time: Timekeeper, onWait: (HarvestUnderWay) -> Void
  ) async throws -> Held {
    let end = patience.map { time.now().addingTimeInterval($0 / .seconds(1)) }
    var hasWaited = false
    while true {
      do {
        return try take(now: time.now())
      } catch let error as HarvestUnderWay {
        if let end, time.now() >= end { throw error }
        if !hasWaited { onWait(error) }
        hasWaited = true
        try await time.sleep(Self.pause)
      }
    }
  }

  /// Whether anybody holds it.
  public var isHeld: Bool {
    guard let file = folder.openIfThere(Self.name) else { return false }
    defer { LockFile.letGo(file) }
    return !Self.lock(file)
  }

  /// A file system without locks never says no: one process at a time is then up to whoever uses it.
  private static func lock(_ file: Int32) -> Bool {
    flock(file, LOCK_EX | LOCK_NB) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }

  private static func since(of file: Int32) -> Date? {
    var bytes = [UInt8](repeating: 0, count: 24)
    guard pread(file, &bytes, 24, 0) == 24 else { return nil }
    return UTC.date(String(decoding: bytes, as: UTF8.self))
  }
}

/// That another process harvests into the library.
public struct HarvestUnderWay: ExplainedError, Equatable {
  /// Who it is, where that is known: `process 4711 (media harvest)`.
  public let holder: String?
  /// Since when, where that is known.
  public let since: Date?
  /// When it was found there.
  public let seenAt: Date

  /// What is in the way.
  public var summary: String { "another harvest is under way: \(holder ?? "an unknown process")\(duration)" }
  /// What to do.
  public var cure: String? { "try again when it is done, or wait for it with --wait" }
  /// Waiting helps.
  public var exitCode: ExitCode { .tryLater }

  private var duration: String {
    guard let since else { return "" }
    let calendar = Calendar.current
    let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute], from: since)
    func digits(_ numbers: [Int?], _ separator: String) -> String {
      numbers.map { ($0 ?? 0) < 10 ? "0\($0 ?? 0)" : "\($0 ?? 0)" }.joined(separator: separator)
    }
    let time = digits([parts.hour, parts.minute], ":")
    let isToday = calendar.isDate(since, inSameDayAs: seenAt)
    return ", since \(isToday ? time : "\(digits([parts.year, parts.month, parts.day], "-")) \(time)")"
  }
}
