import Foundation

/// A folder that goes with the test.
public final class Scratch: Sendable {
  /// Where it is.
  public let path: String

  /// A new one, where temporary files lie.
  public init() throws {
    var template = Array("\(NSTemporaryDirectory())/media-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    path = template.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// What lies in it, by name.
  public var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted() }

  /// What the file system says of a file in it; nothing where there is no such file.
  public func attributes(_ name: String) -> [FileAttributeKey: Any] {
    (try? FileManager.default.attributesOfItem(atPath: "\(path)/\(name)")) ?? [:]
  }

  /// Who may read and write a file in it.
  public func mode(_ name: String) -> Int? { (attributes(name)[.posixPermissions] as? NSNumber)?.intValue }
}
