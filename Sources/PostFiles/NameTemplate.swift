import Posts

/// A template of the names under which files are exported: `{source}/{author}/{date:%Y-%m}/{id}_{n}.{ext}`.
///
/// Slashes of the template separate folders; those of values do not. `{field|text}` gives a text for a missing value, and
/// `{{` and `}}` are braces.
public struct NameTemplate: Sendable, Equatable {
  enum Piece: Sendable, Equatable {
    case text(String)
    case field(NameField, format: String, missing: String?)
  }

  /// The template as it was written.
  public let text: String
  /// The pieces of each folder, and of the file's name.
  let folders: [[Piece]]
  let file: [Piece]

  /// The template that is used if none is given.
  public static let standard = "{source}/{author}/{date:%Y-%m}/{id}_{n}.{ext}"

  /// Reads a template.
  ///
  /// - Throws: `NameTemplateError`
  public init(_ text: String) throws(NameTemplateError) {
    guard !text.hasPrefix("/") else { throw .absolute }
    let parts = try Self.parts(of: text)
    guard let file = parts.last, !file.isEmpty else { throw .noName }
    for part in parts where part == [.text("..")] || part == [.text(".")] { throw .absolute }
    (self.text, folders, self.file) = (text, parts.dropLast().filter { !$0.isEmpty }, file)
  }

  private static func parts(of text: String) throws(NameTemplateError) -> [[Piece]] {
    var (parts, plain) = ([[Piece]()], "")
    func end() {
      if !plain.isEmpty { parts[parts.count - 1].append(.text(plain)) }
      plain = ""
    }
    var rest = text.unicodeScalars[...]
    while let next = rest.popFirst() {
      switch next {
      case "{" where rest.first == "{", "}" where rest.first == "}":
        rest.removeFirst()
        plain.unicodeScalars.append(next)
      case "{":
        guard let close = rest.firstIndex(of: "}") else { throw .unclosed }
        end()
        parts[parts.count - 1].append(try field(String(rest[..<close])))
        rest = rest[rest.index(after: close)...]
      case "}": throw .unopened
      case "/":
        end()
        parts.append([])
      default: plain.unicodeScalars.append(next)
      }
    }
    end()
    return parts
  }

  private static func field(_ text: String) throws(NameTemplateError) -> Piece {
    let halves = text.split(separator: "|", maxSplits: 1, omittingEmptySubsequences: false)
    let names = halves[0].split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard let field = NameField(written: String(names[0])) else { throw .unknown(String(names[0])) }
    let format = names.count > 1 ? String(names[1]) : ""
    guard format.isEmpty || field == .date else { throw .format(field.rawValue) }
    if let wrong = TimeFormat(format).firstUnknown { throw .time(wrong) }
    return .field(field, format: format, missing: halves.count > 1 ? String(halves[1]) : nil)
  }
}

/// What a template may name.
public enum NameField: String, Sendable, CaseIterable {
  /// The source: `mastodon`.
  case source
  /// The host of the server.
  case server
  /// The author's handle: `birds@mastodon.social`.
  case author
  /// The name that people see of the author.
  case name
  /// The post's number in the library.
  case id
  /// The server's own id of the post.
  case remoteID = "remote_id"
  /// The number of the file in its post, from 1.
  case n
  /// When the post was written, in UTC.
  case date
  /// The post's headline.
  case title
  /// The first line of its text.
  case caption
  /// Its first tag.
  case tag
  /// The file's own name, without its extension.
  case filename
  /// `image`, `video`, `audio` or `file`.
  case kind
  /// The hash of the bytes.
  case sha256
  /// The extension, without its dot.
  case ext

  /// A field by its name, or by the name that gallery-dl has for it.
  init?(written name: String) {
    switch name {
    case "num": self = .n
    case "extension": self = .ext
    default: self.init(rawValue: name)
    }
  }
}

/// Why a text is no template.
public enum NameTemplateError: ExplainedError, Equatable {
  /// It begins with a slash, or a folder of it is a dot or two.
  case absolute
  /// It ends with a slash, or is empty.
  case noName
  /// A brace is not closed.
  case unclosed
  /// A brace is closed that was not opened.
  case unopened
  /// There is no field of this name.
  case unknown(String)
  /// Only dates have a format.
  case format(String)
  /// A date has no such part.
  case time(String)

  /// What is wrong.
  public var summary: String {
    switch self {
    case .absolute: "--name leads out of the folder"
    case .noName: "--name has no name of a file"
    case .unclosed: "--name has a { without a }"
    case .unopened: "--name has a } without a {"
    case .unknown(let name): "--name has {\(name)}, which is unknown"
    case .format(let name): "--name has a format for {\(name)}"
    case .time(let part): "--name has \(part) in {date}, which is unknown"
    }
  }

  /// What to do about it.
  public var cure: String? {
    switch self {
    case .absolute: "begin with a name, and leave . and .. out"
    case .noName: "end it with a name, such as {id}_{n}.{ext}"
    case .unclosed, .unopened: "write {{ and }} for braces"
    case .unknown: "the fields are \(NameField.allCases.map(\.rawValue).joined(separator: ", "))"
    case .format: "only {date} has one, such as {date:%Y-%m}"
    case .time: "the parts are \(TimeFormat.known)"
    }
  }

  /// Wrong usage.
  public var exitCode: ExitCode { .usage }
}
