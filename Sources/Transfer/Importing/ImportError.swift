import Posts

/// Why something cannot be imported.
public enum ImportError: ExplainedError, Equatable {
  /// There is no such file or folder.
  case absent(path: String)
  /// It is neither a file nor a folder, such as a device.
  case noFile(path: String)
  /// No reader knows what it is.
  case notRecognized(path: String)
  /// It is something else that its service gives.
  case otherForm(path: String, what: String, cure: String)
  /// No format has this name.
  case noFormat(name: String, others: [String])
  /// It is not what the format asks for.
  case unfit(path: String, format: String, reason: String)
  /// It is an archive of what is read from a folder.
  case packed(path: String, format: String)
  /// It cannot be read.
  case unreadable(path: String, reason: String)
  /// It ends before its end.
  case cutShort(path: String)
  /// It is larger than can be true.
  case tooLarge(path: String, reason: String)
  /// It is longer than a file of its kind is read.
  case tooLong(path: String, longest: Int)

  /// What failed, on what, and why.
  public var summary: String {
    switch self {
    case .absent(let path): "there is no \(path)"
    case .noFile(let path): "\(path) is neither a file nor a folder"
    case .notRecognized(let path): "\(path) is nothing that can be imported"
    case .otherForm(let path, let what, _): "\(path) is \(what)"
    case .noFormat(let name, _): "there is no format \"\(name)\""
    case .unfit(let path, let format, let reason): "\(path) is not \(format): \(reason)"
    case .packed(let path, let format): "\(path) is an archive, and what \(format) wrote is read from its folder"
    case .unreadable(let path, let reason): "\(path) cannot be read: \(reason)"
    case .cutShort(let path): "\(path) is cut short"
    case .tooLarge(let path, let reason): "\(path) is refused: \(reason)"
    case .tooLong(let path, let longest): "\(path) is longer than \(longest >> 20) MB"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .absent: "check how it is spelt"
    case .noFile: "name an archive, a file or a folder"
    case .notRecognized:
      "name its form with --format, or the folder that holds the whole archive; \"media add --attach\" keeps single pictures"
    case .otherForm(_, _, let cure): cure
    case .noFormat(_, let others): "write one of \(others.joined(separator: ", "))"
    case .unfit: "name another form with --format, or leave it out to have it recognized"
    case .packed: "unpack it, and import the folder"
    case .unreadable: nil
    case .cutShort: "get it again; nothing of it was imported"
    case .tooLong: "divide it; nothing of it was imported"
    case .tooLarge: "unpack it yourself, look at it, and import the folder"
    }
  }

  /// The exit status of the command.
  public var exitCode: ExitCode {
    switch self {
    case .noFile, .noFormat: .usage
    case .notRecognized, .otherForm, .unfit, .packed, .cutShort, .tooLarge, .tooLong: .unreadable
    case .absent, .unreadable: .storage
    }
  }
}
