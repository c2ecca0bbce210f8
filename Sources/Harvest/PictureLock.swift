import Blobs
import Foundation
import Glibc
import HTTP
import Posts

/// Many may bring pictures into a library at once, and only while nobody does may any be taken away.
///
/// A kernel lock on an empty file in the library's `locks` folder, as those of feeds: it ends with its process.
public struct PictureLock: Sendable {
  /// The lock, until this is let go.
  public final class Held: Sendable {
    private let file: Int32
    init(file: Int32) { self.file = file }
    deinit { LockFile.letGo(file) }
  }

  /// How often a held lock is asked for again.
  private static let pause = Duration.milliseconds(100)

  private let folder: LockFolder
  private static let name = "pictures"

  /// The lock of the library in a folder. It stays its lock when the folder is renamed.
  public init(library: HeldFolder) { folder = LockFolder(library: library) }

  /// The lock of the library that is in a folder now.
  public init(library: String) { self.init(library: HeldFolder(library)) }

  /// Waits until nobody takes pictures away, then holds the lock together with others. `onWait` is called before each
  /// wait of a tenth of a second, and may end the waiting by throwing.
  public func share(time: Timekeeper, onWait: () throws -> Void = {}) async throws -> Held {
    let file = try folder.open(Self.name)
    let held = Held(file: file)
    while !Self.lock(file, LOCK_SH | LOCK_NB) {
      try onWait()
      try await time.sleep(Self.pause)
    }
    return held
  }

  /// The same for whoever may keep a thread waiting.
  public func shareBlocking() throws -> Held {
    let file = try folder.open(Self.name)
    while !Self.lock(file, LOCK_SH) {}
    return Held(file: file)
  }

  /// Holds the lock alone; throws `PicturesInUse` where somebody else has it.
  public func takeAlone() throws -> Held {
    let file = try folder.open(Self.name)
    let held = Held(file: file)
    guard Self.lock(file, LOCK_EX | LOCK_NB) else { throw PicturesInUse(holder: Self.holder(of: file)) }
    return held
  }

  /// Whether anybody holds it.
  public var isHeld: Bool {
    guard let file = try? folder.open(Self.name) else { return false }
    defer { LockFile.letGo(file) }
    return !Self.lock(file, LOCK_EX | LOCK_NB)
  }

  /// A file system without locks never says no: one process at a time is then up to whoever uses it.
  private static func lock(_ file: Int32, _ kind: Int32) -> Bool {
    flock(file, kind) == 0 || (errno != EWOULDBLOCK && errno != EINTR)
  }

  /// The process that holds a lock on the file, from proc(5), `/proc/locks`: `process 4711 (media tag)`.
  static func holder(of file: Int32) -> String? {
    var status = stat()
    guard fstat(file, &status) == 0, let locks = text("/proc/locks") else { return nil }
    let holders = locks.split(separator: "\n").map { $0.split(separator: " ") }.compactMap { fields -> Int32? in
      guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") else { return nil }
      return Int32(fields[4])
    }
    guard let process = holders.first(where: { $0 > 0 }) else { return nil }
    let words = text("/proc/\(process)/cmdline")?.split(separator: "\0").prefix(2) ?? []
    let command = words.enumerated().map { $0 == 0 ? String($1.split(separator: "/").last ?? $1) : String($1) }
    return command.isEmpty ? "process \(process)" : "process \(process) (\(command.joined(separator: " ")))"
  }

  /// A file of the kernel's: it tells no length, and gives a page at a time.
  private static func text(_ path: String) -> String? {
    let file = Glibc.open(path, O_RDONLY | O_CLOEXEC)
    guard file >= 0 else { return nil }
    defer { close(file) }
    var bytes: [UInt8] = []
    var page = [UInt8](repeating: 0, count: 4096)
    while bytes.count < 1 << 20 {
      let count = read(file, &page, page.count)
      if count <= 0 { break }
      bytes += page[..<count]
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// That pictures are being brought, or taken away, by another process.
public struct PicturesInUse: ExplainedError, Equatable {
  /// Who it is, where that is known.
  public let holder: String?
  /// What is in the way.
  public var summary: String {
    "\(holder ?? "another command") works on the library's pictures"
  }
  /// What to do.
  public var cure: String? { "try again when it is done" }
  /// Waiting helps.
  public var exitCode: ExitCode { .tryLater }
}
