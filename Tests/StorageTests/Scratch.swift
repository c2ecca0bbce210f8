import Foundation
import Testing

/// A folder that goes with the test.
final class Scratch: Sendable {
  let path: String

  init() throws {
    var template = Array("\(NSTemporaryDirectory())/storage.XXXXXX".utf8CString)
    try #require(mkdtemp(&template) != nil)
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  func mode(_ name: String) throws -> Int? {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")
    return (attributes[.posixPermissions] as? NSNumber)?.intValue
  }
}

/// A file system of a few kilobytes in memory, mounted where only root may.
final class SmallDisk: Sendable {
  static let isPossible: Bool = getuid() == 0 && (try? SmallDisk(bytes: 65_536))?.isMounted == true

  let scratch: Scratch
  let isMounted: Bool

  init(bytes: Int) throws {
    scratch = try Scratch()
    isMounted = mount("tmpfs", scratch.path, "tmpfs", 0, "size=\(bytes)") == 0
  }

  func makeReadOnly() -> Bool { mount("tmpfs", scratch.path, "tmpfs", UInt(MS_REMOUNT | MS_RDONLY), nil) == 0 }

  /// Takes all room but so many bytes.
  func fill(leaving bytes: Int) throws {
    var status = statvfs()
    try #require(statvfs(scratch.path, &status) == 0)
    let free = Int(status.f_bavail) * Int(status.f_bsize)
    try Data(repeating: 0, count: max(0, free - bytes)).write(to: URL(fileURLWithPath: "\(scratch.path)/ballast"))
  }

  /// Gives it back.
  func empty() throws { try FileManager.default.removeItem(atPath: "\(scratch.path)/ballast") }

  deinit { if isMounted { umount2(scratch.path, Int32(MNT_DETACH)) } }
}
