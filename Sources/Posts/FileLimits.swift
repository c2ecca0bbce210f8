/// Which files of posts a pull takes. What it says nothing about is nil.
///
/// No bound is a bound, too: all kinds, or `unbounded`. It takes back a narrower one, where nil would keep it.
public struct FileLimits: Sendable, Hashable {
  /// What a person calls the kinds of files. A silent video is a video.
  public enum Kind: String, Sendable, CaseIterable {
    case image, video, audio, file

    fileprivate var plural: String {
      switch self {
      case .image: "images"
      case .video: "videos"
      case .audio: "recordings"
      case .file: "other files"
      }
    }
  }

  /// Which limit left a file out. The raw values are stored.
  public enum Limit: String, Sendable, CaseIterable { case kind, size, newest, total }

  /// A number that nothing exceeds.
  public static let unbounded = Int64.max
  /// The most bytes of files that a pull of a document takes unless it is told otherwise. One document may name hundreds of
  /// long recordings.
  public static let usualTotal: Int64 = 1_000_000_000

  /// The wanted kinds.
  public var only: Set<Kind>?
  /// The most bytes of one file.
  public var maxSize: Int64?
  /// Files are taken of this many of the feed's newest posts.
  public var newest: Int64?
  /// The most bytes of all files of one pull.
  public var maxTotal: Int64?

  /// Limits from their parts; by default none.
  public init(only: Set<Kind>? = nil, maxSize: Int64? = nil, newest: Int64? = nil, maxTotal: Int64? = nil) {
    (self.only, self.maxSize, self.newest, self.maxTotal) = (only, maxSize, newest, maxTotal)
  }

  /// Whether nothing is said.
  public var isEmpty: Bool { self == FileLimits() }

  /// These limits, and those of others about which these say nothing.
  public func over(_ others: FileLimits) -> FileLimits {
    FileLimits(
      only: only ?? others.only, maxSize: maxSize ?? others.maxSize, newest: newest ?? others.newest,
      maxTotal: maxTotal ?? others.maxTotal)
  }

  /// The number of newest posts, where it bounds anything.
  public var newestBound: Int64? { newest.flatMap { $0 == Self.unbounded ? nil : $0 } }

  /// Whether files of a kind are wanted. A file whose kind is not known yet is.
  public func wants(_ kind: Kind?) -> Bool { kind.map { only?.contains($0) ?? true } ?? true }

  /// Whether what a limit left out is asked for again under these limits: they say something of that limit, and allow more
  /// than those did under which the file was left out.
  public func reopen(_ limit: Limit, leftOutUnder before: FileLimits) -> Bool {
    switch limit {
    case .kind: only.map { !$0.isSubset(of: before.only ?? []) } ?? false
    case .size: maxSize.map { $0 > before.maxSize ?? 0 } ?? false
    // A bounded number of newest posts is chosen when the pages of a pull are read.
    case .newest: newest == Self.unbounded
    // Each pull has its own.
    case .total: maxTotal != nil
    }
  }
}

extension FileLimits.Kind {
  /// The kind of an attachment, if its source or the ending of an address says it.
  public init?(_ kind: Attachment.Kind, addresses: [String]) {
    let named = kind == .file ? addresses.lazy.compactMap(Attachment.Kind.ending).first : kind
    if let named { self.init(named) } else { return nil }
  }

  /// The kind of an attachment whose bytes are known.
  public init(_ kind: Attachment.Kind) {
    switch kind {
    case .image: self = .image
    case .video, .gifv: self = .video
    case .audio: self = .audio
    case .file: self = .file
    }
  }
}

// MARK: As text

extension FileLimits {
  /// As libraries store them: `only=image,video max-size=50000000 newest=3`; nil if nothing is said.
  public var stored: String? {
    let kinds = only.map { only in Kind.allCases.filter(only.contains).map(\.rawValue).joined(separator: ",") }
    let parts = [
      kinds.map { "only=\($0)" }, maxSize.map { "max-size=\(Self.digits($0))" },
      newest.map { "newest=\(Self.digits($0))" },
      maxTotal.map { "max-total=\(Self.digits($0))" },
    ]
    return isEmpty ? nil : parts.compactMap(\.self).joined(separator: " ")
  }

  /// Reads stored limits. What cannot be read counts as not said.
  public init(stored text: String?) {
    self.init()
    for part in text?.split(separator: " ") ?? [] {
      let pair = part.split(separator: "=", maxSplits: 1).map(String.init)
      guard pair.count == 2 else { continue }
      let number = pair[1] == Self.none ? Self.unbounded : Int64(pair[1]).flatMap { $0 > 0 ? $0 : nil }
      switch pair[0] {
      case "only":
        let kinds = Set(pair[1].split(separator: ",").compactMap { Kind(rawValue: String($0)) })
        if !kinds.isEmpty { only = kinds }
      case "max-size": maxSize = number
      case "newest": newest = number
      case "max-total": maxTotal = number
      default: continue
      }
    }
  }

  private static let none = "none"
  private static func digits(_ number: Int64) -> String { number == unbounded ? none : String(number) }

  /// `only images and videos up to 50 MB, of the 3 newest posts`; nil if nothing is bounded.
  public var words: String? {
    let kinds = only.flatMap { only in
      only.count == Kind.allCases.count ? nil : Kind.allCases.filter(only.contains).map(\.plural)
    }
    let size = maxSize.flatMap(Self.bound).map { " up to \(Self.size($0))" }
    let newest = newestBound.map { $0 == 1 ? "of the newest post" : "of the \($0) newest posts" }
    if kinds == nil, size == nil { return newest.map { "only files \($0)" } }
    let files = (kinds.map { "only \($0.joined(separator: " and "))" } ?? "only files") + (size ?? "")
    return [files, newest].compactMap(\.self).joined(separator: ", ")
  }

  private static func bound(_ number: Int64) -> Int64? { number == unbounded ? nil : number }

  /// `50 MB`: exact, in the largest unit of which it is a whole number.
  public static func size(_ bytes: Int64) -> String {
    let units: [(name: String, bytes: Int64)] = [
      ("TB", 1_000_000_000_000), ("GB", 1_000_000_000), ("MB", 1_000_000), ("KB", 1_000),
    ]
    let unit = units.first { bytes >= $0.bytes && bytes % $0.bytes == 0 } ?? ("bytes", 1)
    return "\(bytes / unit.bytes) \(unit.name)"
  }
}

/// That a limit left a file out, in words.
public struct LeftOut: Sendable, Hashable, CustomStringConvertible {
  /// Which limit.
  public let limit: FileLimits.Limit
  /// The limits of the pull that left it out.
  public let limits: FileLimits

  /// A reason from its parts.
  public init(_ limit: FileLimits.Limit, of limits: FileLimits) { (self.limit, self.limits) = (limit, limits) }

  /// Reads a stored reason; nil if there is none.
  public init?(stored limit: String?, limits: String?) {
    guard let limit = limit.flatMap(FileLimits.Limit.init) else { return nil }
    self.init(limit, of: FileLimits(stored: limits))
  }

  /// `larger than 50 MB`.
  public var description: String {
    switch limit {
    case .kind: "not among the wanted kinds"
    case .size: limits.maxSize.map { "larger than \(FileLimits.size($0))" } ?? "too large"
    case .newest:
      switch limits.newest {
      case 1?: "not of the newest post"
      case let count?: "not of the \(count) newest posts"
      case nil: "not of the newest posts"
      }
    case .total: "past the first \(FileLimits.size(limits.maxTotal ?? FileLimits.usualTotal)) of its pull"
    }
  }
}
