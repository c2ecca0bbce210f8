import Blobs
import Machine
import Posts

/// What a file is, as far as it decides whether and under which name another program may get it. Only contents that no
/// program runs are openable: the bytes decide, and the name may refuse.
enum OpenableType: Sendable, Equatable {
  /// A picture, a video or sound.
  case media(MediaType)
  case pdf, richText, text
  /// A document of several files in a ZIP archive, by its extension.
  case document(String)
  /// A plain ZIP archive.
  case archive

  /// The type of a file.
  ///
  /// - Parameters:
  ///   - type: The type that its header says; nil if that is unknown.
  ///   - head: Its first bytes.
  ///   - name: Its own name, if it has one.
  /// - Throws: `ViewerError.refused` if a program could run it, or its type is unknown.
  init(_ type: MediaType?, head: [UInt8], name: String?) throws(ViewerError) {
    let ending = name.map(Self.ending) ?? ""
    guard !Self.launchable.contains(ending) else { throw .refused("a file named .\(ending)", reason: .launchable) }
    if let type {
      guard Self.mediaEndings[type] != nil else { throw .refused(type.rawValue, reason: .scripts) }
      self = .media(type)
    } else if head.starts(with: "%PDF-".utf8) {
      self = .pdf
    } else if head.starts(with: "{\\rtf".utf8) {
      self = .richText
    } else if head.starts(with: [0x50, 0x4B, 3, 4]) {
      self = Self.documents[ending] == nil ? .archive : .document(ending)
    } else if Self.isText(head) {
      guard !Self.isLaunchable(head) else { throw .refused("a text that a program runs", reason: .launchable) }
      self = .text
    } else {
      throw .refused("of unknown type", reason: .unknown)
    }
  }

  /// The media type (RFC 6838).
  var mediaType: String {
    switch self {
    case .media(let type): type.rawValue
    case .pdf: "application/pdf"
    case .richText: "text/rtf"
    case .text: "text/plain"
    case .document(let ending): Self.documents[ending] ?? "application/zip"
    case .archive: "application/zip"
    }
  }

  /// The name of a copy: the file's own with the extension of its type, as one name in a folder.
  ///
  /// - Parameter fallback: The name of a file without one.
  func fileName(_ name: String?, fallback: String) -> String {
    let clean = name.map(Self.cleaned) ?? ""
    let base = clean.isEmpty ? fallback : clean
    let whole = endings.contains(Self.ending(base)) ? base : "\(base).\(endings[0])"
    return Attachment.name(ofFile: whole) ?? fallback
  }

  /// The extensions of the type; the usual one first.
  private var endings: [String] {
    switch self {
    case .media(let type): Self.mediaEndings[type] ?? ["bin"]
    case .pdf: ["pdf"]
    case .richText: ["rtf"]
    case .text: ["txt", "md", "csv", "tsv", "log", "json", "ics", "vcf"]
    case .document(let ending): [ending]
    case .archive: ["zip"]
    }
  }

  private static let mediaEndings: [MediaType: [String]] = [
    .jpeg: ["jpg", "jpeg"], .png: ["png"], .gif: ["gif"], .webp: ["webp"], .avif: ["avif"], .heic: ["heic", "heif"],
    .jpegXL: ["jxl"], .jpeg2000: ["jp2", "j2k", "jpf", "jpx"], .icon: ["ico", "cur"], .bmp: ["bmp"],
    .tiff: ["tiff", "tif"], .mp4: ["mp4", "m4v"], .quickTime: ["mov", "qt"], .webm: ["webm"],
    .matroska: ["mkv"], .mp3: ["mp3"], .m4a: ["m4a"], .ogg: ["ogg", "oga", "ogv", "opus"], .wav: ["wav"],
    .flac: ["flac"],
  ]

  private static let documents = [
    "odt": "application/vnd.oasis.opendocument.text", "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odp": "application/vnd.oasis.opendocument.presentation", "epub": "application/epub+zip",
    "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
  ]

  /// Extensions of what systems start, and of pages that run scripts.
  private static let launchable: Set<String> = [
    "desktop", "sh", "bash", "zsh", "fish", "csh", "ksh", "command", "run", "bin", "elf", "out", "so", "appimage",
    "exe", "com", "bat", "cmd", "scr", "msi", "pif", "lnk", "url", "ps1", "vbs", "vbe", "wsf", "hta", "reg", "jar",
    "apk", "xpi", "crx", "deb", "rpm", "flatpakref", "snap", "py", "pyw", "pyc", "pl", "rb", "php", "js", "mjs", "jse",
    "lua", "tcl", "awk", "html", "htm", "xhtml", "shtml", "mht", "mhtml", "svg", "svgz", "swf", "service", "timer",
    "socket", "directory", "theme", "docm", "xlsm", "pptm", "dotm", "xltm",
  ]

  // MARK: Names

  /// The extension of a name, in small letters, as programs read it: without trailing dots, blanks and invisible characters.
  private static func ending(_ name: String) -> String {
    let trimmed = String(cleaned(name).reversed().drop { $0 == "." || $0.isWhitespace }.reversed())
    return PathText.fileExtension(of: trimmed).lowercased()
  }

  /// One name in a folder, without what hides a part of it or stands for an option.
  private static func cleaned(_ name: String) -> String {
    let scalars = name.unicodeScalars.filter { scalar in
      switch scalar.properties.generalCategory {
      case .control, .format, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: false
      default: scalar != "/"
      }
    }
    let text = String(String.UnicodeScalarView(scalars)).trimmingWhiteSpace
    return String(text.drop { $0 == "." || $0 == "-" || $0.isWhitespace })
  }

  // MARK: Texts

  private static func isText(_ head: [UInt8]) -> Bool {
    guard !head.contains(0) else { return false }
    // The last character may be cut.
    return (0...3).contains { String(validating: head.dropLast($0), as: UTF8.self) != nil }
  }

  /// Whether a text names its interpreter, or is a launcher.
  private static func isLaunchable(_ head: [UInt8]) -> Bool {
    let text = String(decoding: head, as: UTF8.self)
    return head.starts(with: "#!".utf8) || text.hasPrefix("\u{FEFF}#!")
      || text.split(whereSeparator: \.isNewline).contains { $0.trimmingWhiteSpace == "[Desktop Entry]" }
  }
}
