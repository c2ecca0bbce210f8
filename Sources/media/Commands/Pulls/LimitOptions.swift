import ArgumentParser
import Filters
import Posts

/// Which files of its posts a command takes, one by one.
struct FileOptions: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take only files of these kinds, with commas between: image, video, audio, file; or all.", valueName: "kinds"),
    completion: .list(FileLimits.Kind.allCases.map(\.rawValue) + [Self.all]))
  var only: String?

  @Option(help: ArgumentHelp("Take no file that is larger, such as 50MB; or none for no bound.", valueName: "size"))
  var maxSize: String?

  /// No bound, so that it can be taken back.
  static let (all, none) = ("all", "none")

  func validate() throws { _ = try limits() }

  /// The limits.
  ///
  /// - Throws: `ValidationError` if one is not a limit.
  func limits() throws -> FileLimits {
    FileLimits(only: try only.map(Self.kinds), maxSize: try maxSize.map { try Self.size($0, for: "--max-size") })
  }

  private static func kinds(_ text: String) throws -> Set<FileLimits.Kind> {
    let names = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.trimmingWhiteSpace.lowercased() }
    if names == [all] { return Set(FileLimits.Kind.allCases) }
    return Set(
      try names.map { name in
        if let kind = FileLimits.Kind(rawValue: name) { return kind }
        throw ValidationError(
          "--only \(Spelling.printable(text)): \"\(Spelling.printable(name))\" is no kind of file, write image, video, "
            + "audio or file, with commas between, or all")
      })
  }

  /// A size of at least a byte, or `none`.
  static func size(_ text: String, for flag: String) throws -> Int64 {
    if text.lowercased() == none { return FileLimits.unbounded }
    guard let size = ByteCount(text), size.bytes > 0 else {
      throw ValidationError("\(flag) \(Spelling.printable(text)) is not a size, write one such as 50MB, or none")
    }
    return size.bytes
  }
}

/// Which files of its posts a pull takes.
struct LimitOptions: ParsableArguments {
  @OptionGroup var files: FileOptions

  @Option(
    help: ArgumentHelp(
      "Take files of the feed's n newest posts alone; the words of all are stored. Or none for no bound.",
      valueName: "n"))
  var newest: String?

  func validate() throws { _ = try limits() }

  /// The limits.
  ///
  /// - Throws: `ValidationError` if one is not a limit.
  func limits() throws -> FileLimits {
    var limits = try files.limits()
    limits.newest = try newest.map { text in
      if text.lowercased() == FileOptions.none { return FileLimits.unbounded }
      guard let number = Int64(text), (1...Self.most).contains(number) else {
        throw ValidationError(
          "--newest \(Spelling.printable(text)) is not a number of posts, write one from 1 to \(Self.most), or none")
      }
      return number
    }
    return limits
  }

  private static let most: Int64 = 1_000_000
}

/// How many bytes of files a pull takes.
struct TotalOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "Take files of this size in all, such as 5GB, or none for no bound; 1GB of a feed's document by default.",
      valueName: "size"))
  var maxTotal: String?

  func validate() throws { _ = try bytes() }

  /// The bytes; nil if nothing is said.
  func bytes() throws -> Int64? { try maxTotal.map { try FileOptions.size($0, for: "--max-total") } }
}
