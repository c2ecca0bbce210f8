import Foundation

/// A folder that is removed after the test.
public final class Scratch: Sendable {
  /// Its path.
  public let path: String

  /// Creates a folder among the temporary files.
  public init() throws {
    var template = Array("\(NSTemporaryDirectory())/media-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// The names of the files in it, sorted.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// The attributes of a file in it; empty if there is no such file.
  public func attributes(_ name: String) -> [FileAttributeKey: Any] {
    (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")) ?? [:]
  }

  /// The permissions of a file in it.
  public func mode(_ name: String) -> Int? { (attributes(name)[.posixPermissions] as? NSNumber)?.intValue }
}
