import Blobs
import FoundationEssentials
import Glibc
import HTTP
import Posts

/// Lets many processes add pictures to a library at once; pictures may be removed only while none does.
///
/// A kernel lock on an empty file in the library's `locks` folder, which ends with its process.
public struct PictureLock: Sendable {
  /// The pause between attempts to get a held lock.
  private static let pause = Duration.milliseconds(100)

  private let folder: LockFolder
  private static let name = "pictures"

  /// The lock of the library in a folder. It stays valid when the folder is renamed.
  public init(library: OpenDirectory) { folder = LockFolder(library: library) }

  /// The lock of the library that is in a folder now.
  public init(library: String) { self.init(library: OpenDirectory(library)) }

  /// Acquires the shared lock once no process removes pictures. `onWait` is called before each wait of a tenth of a second;
  /// if it throws, the wait ends.
  public func share(time: TimeSource, onWait: () throws -> Void = {}) async throws -> LockFile {
    let file = try folder.open(Self.name)
    while !file.lock(LOCK_SH | LOCK_NB) {
      try onWait()
      try await time.sleep(Self.pause)
    }
    return file
  }

  /// Acquires the shared lock and blocks the thread meanwhile.
  public func acquireSharedBlocking() throws -> LockFile {
    let file = try folder.open(Self.name)
    while !file.lock(LOCK_SH) {}
    return file
  }

  /// Acquires the exclusive lock; throws `PicturesInUse` if another process holds it.
  public func acquireExclusive() throws -> LockFile {
    let file = try folder.open(Self.name)
    guard file.lock() else { throw PicturesInUse(holder: Self.holder(of: file)) }
    return file
  }

  /// Whether any process holds it.
  public var isHeld: Bool { folder.isLocked(Self.name) }

  /// The process that holds a lock on the file, from proc(5), `/proc/locks`: `process 4711 (media tag)`.
  static func holder(of file: LockFile) -> String? {
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, let locks = text("/proc/locks") else { return nil }
    let holders = locks.split(separator: "\n").map { $0.split(separator: " ") }.compactMap { fields -> Int32? in
      guard fields.count > 5, fields[1] == "FLOCK", fields[5].hasSuffix(":\(status.st_ino)") else { return nil }
      return Int32(fields[4])
    }
    guard let process = holders.first(where: { $0 > 0 }) else { return nil }
    let arguments = text("/proc/\(process)/cmdline")?.split(separator: "\0").prefix(2) ?? []
    let command = arguments.enumerated().map { $0 == 0 ? String($1.split(separator: "/").last ?? $1) : String($1) }
    return command.isEmpty ? "process \(process)" : "process \(process) (\(command.joined(separator: " ")))"
  }

  /// Reads a file of the kernel, which has no length and returns a page at a time.
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

/// Another process adds or removes pictures.
public struct PicturesInUse: ExplainedError, Equatable {
  /// The other process, if known.
  public let holder: String?
  /// The reason.
  public var summary: String {
    "\(holder ?? "another command") works on the library's pictures"
  }
  /// What to do.
  public var cure: String? { "try again when it is done" }
  /// Retrying later helps.
  public var exitCode: ExitCode { .tryLater }
}
