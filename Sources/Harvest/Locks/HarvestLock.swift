import Blobs
import FoundationEssentials
import Glibc
import HTTP
import Machine
import Posts

/// Allows one harvest at a time in a library, among all processes.
///
/// A kernel lock on the file `harvest` in the library's `locks` folder, which ends with its process. The file records when
/// the lock was acquired.
public struct HarvestLock: Sendable {
  /// The pause between attempts to get a held lock.
  private static let pause = Duration.milliseconds(200)

  private let folder: LockFolder
  private static let name = "harvest"

  /// The lock of the library in a folder. It stays valid when the folder is renamed.
  public init(library: OpenDirectory) { folder = LockFolder(library: library) }

  /// The lock of the library that is in a folder now.
  public init(library: String) { self.init(library: OpenDirectory(library)) }

  /// Acquires the lock; throws `HarvestUnderWay` if another process holds it.
  public func acquire(now: Date) throws -> LockFile {
    let file = try folder.open(Self.name)
    guard file.lock() else {
      throw HarvestUnderWay(
        holder: PictureLock.holder(of: file), since: Self.since(of: file.descriptor), seenAt: now)
    }
    let text = Array(UTC.text(now).utf8)
    if ftruncate(file.descriptor, 0) == 0 { _ = pwrite(file.descriptor, text, text.count, 0) }
    return file
  }

  /// Acquires the lock as soon as it is free. Throws `HarvestUnderWay` if that takes longer than `patience`; nil waits
  /// without limit. Calls `onWait` once if it has to wait.
  public func acquire(
    within patience: Duration?, time: TimeSource, onWait: (HarvestUnderWay) -> Void
  ) async throws -> LockFile {
    let end = patience.map { time.now().addingTimeInterval($0 / .seconds(1)) }
    var hasWaited = false
    while true {
      do {
        return try acquire(now: time.now())
      } catch let error as HarvestUnderWay {
        if let end, time.now() >= end { throw error }
        if !hasWaited { onWait(error) }
        hasWaited = true
        try await time.sleep(Self.pause)
      }
    }
  }

  /// Whether any process holds it.
  public var isHeld: Bool { folder.isLocked(Self.name) }

  private static func since(of file: Int32) -> Date? {
    var bytes = [UInt8](repeating: 0, count: 24)
    guard pread(file, &bytes, 24, 0) == 24 else { return nil }
    return UTC.date(String(decoding: bytes, as: UTF8.self))
  }
}

/// Another process harvests into the library.
public struct HarvestUnderWay: ExplainedError, Equatable {
  /// The other process, if known: `process 4711 (media harvest)`.
  public let holder: String?
  /// When that harvest began, if known.
  public let since: Date?
  /// When the lock was found held.
  public let seenAt: Date

  /// The reason.
  public var summary: String { "another harvest is under way: \(holder ?? "an unknown process")\(duration)" }
  /// What to do.
  public var cure: String? { "try again when it is done, or wait for it with --wait" }
  /// Retrying later helps.
  public var exitCode: ExitCode { .tryLater }

  private var duration: String {
    guard let since else { return "" }
    let calendar = ZoneCalendar()
    let text = calendar.written(since)
    return ", since \(calendar.isSameDay(since, seenAt) ? String(text.suffix(5)) : text)"
  }
}
