import Foundation

/// A file system of some kilobytes in memory, mounted where only root may.
public final class SmallDisk: Sendable {
  /// Whether this machine lets a test mount one.
  public static let isPossible: Bool = getuid() == 0 && (try? SmallDisk(bytes: 65_536)) != nil

  /// Where it is mounted.
  public let scratch: Scratch

  /// A new one that holds so much.
  public init(bytes: Int) throws {
    scratch = try Scratch()
    guard mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0 else { throw Self.problem }
  }

  /// From now on nothing can be written on it.
  public func makeReadOnly() throws {
    try waiting {
      if mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 { return true }
      guard errno == EBUSY else { throw Self.problem }
      return false
    }
  }

  /// Takes all room but so many bytes.
  public func fill(leaving bytes: Int) throws {
    var status = statvfs()
    try waiting {
      guard statvfs(scratch.path, &status) == 0 else { throw Self.problem }
      return Int(status.f_blocks - status.f_bfree) * Int(status.f_bsize) <= seen
    }
    let free = Int(status.f_bavail) * Int(status.f_bsize)
    try Data(repeating: 0, count: max(0, free - bytes)).write(to: URL(filePath: "\(scratch.path)/ballast"))
  }

  /// Gives it back.
  public func empty() throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/ballast") }

  /// The bytes of all files that have a name.
  private var seen: Int {
    let files = FileManager.default.enumerator(atPath: scratch.path)?.compactMap { $0 as? String } ?? []
    return files.reduce(0) { sum, name in
      var status = stat()
      return stat("\(scratch.path)/\(name)", &status) == 0 ? sum + Int(status.st_blocks) * 512 : sum
    }
  }

  /// A child of another test that begins just now holds open, until it runs its program, what is long closed in here.
  private func waiting(_ isSo: () throws -> Bool) throws {
    for _ in 0..<6_000 {
      if try isSo() { return }
      usleep(10_000)
    }
    throw POSIXError(.EBUSY)
  }

  deinit { umount2(scratch.path, Int32(MNT_DETACH)) }

  private static var problem: POSIXError { POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
}
