import FoundationEssentials
import Glibc

/// The message of a failed file operation of Foundation. Foundation's own message needs ICU.
enum FileErrorText {
  /// The path, if the error names one, and the reason.
  static func of(_ error: any Error) -> String {
    guard let fault = error as? CocoaError else { return "\(error)" }
    let reason = (fault.underlying as? POSIXError).map { String(cString: strerror($0.code.rawValue)) }
    return fault.filePath.map { "\($0): \(reason ?? general(fault.code))" } ?? reason ?? general(fault.code)
  }

  private static func general(_ code: CocoaError.Code) -> String {
    switch code {
    case .fileNoSuchFile, .fileReadNoSuchFile: "there is no such file"
    case .fileReadNoPermission, .fileWriteNoPermission: "permission is denied"
    case .fileWriteOutOfSpace: "the disk is full"
    case .fileWriteVolumeReadOnly: "the disk is read-only"
    case .fileWriteFileExists: "there is such a file already"
    case _ where code.rawValue < 512: "it cannot be read"
    default: "it cannot be written"
    }
  }
}
