// The settings. Help, validation and messages read this table; nothing else names a default.

import Filters
import FoundationEssentials
import Pictures
import Posts

/// A setting's name.
enum SettingKey: String, CaseIterable, Sendable {
  case avatars, view, fold, refresh, cache, thumbnails, memory, pictures, animation, trash, notify, opener
  case grace = "gc-grace"
  case extractors
  case extractorConfig = "extractor-config"
  case inspection
  case textLanguages = "text-languages"
  case look
  case lookMemory = "look-memory"
  case jetstream
  case jetstreamServer = "jetstream-server"
  case plcDirectory = "plc-directory"
  case handleResolver = "handle-resolver"

  /// The type of a setting's value.
  enum Kind: Sendable {
    case choice([String])
    case duration(ClosedRange<Duration>)
    case size(ClosedRange<ByteCount>)
    /// A shell command line, or `off`.
    case command
    /// The address of a server; one of these words may stand for one.
    case server(or: [String])
    /// Languages with `+` between, or `off`.
    case languages
  }

  private static let table: [SettingKey: (kind: Kind, standard: String, help: String)] = [
    .avatars: (.choice(["on", "off"]), "on", "whether avatars are shown and fetched"),
    .view: (.choice(["list", "grid"]), "list", "the initial layout of the interactive list"),
    .fold: (
      .choice(["on", "off"]), "off", "whether lists show a post that came by several networks once"
    ),
    .refresh: (.duration(.seconds(1) ... .seconds(86400)), "60s", "the interval between refreshes of the list"),
    .cache: (
      .size(megabyte...ByteCount(bytes: 100_000_000_000_000)), "512MB", "the disk limit of avatars"
    ),
    .thumbnails: (
      .size(megabyte...ByteCount(bytes: 100_000_000_000_000)), "2GB", "the disk limit of a gallery's thumbnails"
    ),
    .memory: (.size(megabyte...ByteCount(bytes: 1_000_000_000_000)), "64MB", "the memory limit of decoded pictures"),
    .pictures: (
      .choice(["auto", "kitty", "sixel", "iterm", "blocks", "off"]), "auto", "how pictures are drawn in the terminal"
    ),
    .animation: (.choice(["on", "off"]), "on", "whether rows slide when the list changes"),
    .trash: (.duration(.zero...tenYears), "30d", "how long deleted posts keep their pictures, for media gc"),
    .notify: (.command, "off", "your command that receives notices of harvests on standard input"),
    .opener: (.command, "off", "your program for pictures that the list opens; off means the desktop's"),
    .grace: (.duration(.zero...tenYears), "24h", "the minimum age of pictures that media gc removes"),
    .extractors: (.choice(["on", "off"]), "off", "whether media get starts gallery-dl and yt-dlp for other sites"),
    .extractorConfig: (.choice(["on", "off"]), "off", "whether their own configuration and logins count then"),
    .inspection: (.choice(["on", "off"]), "on", "whether harvests look at new files, as media look does"),
    .textLanguages: (.languages, "eng", "the languages in which text in pictures is read"),
    .look: (.command, "off", "your program with a model that looks at pictures, for media look and harvests"),
    .lookMemory: (
      .size(ByteCount(bytes: 64_000_000)...ByteCount(bytes: 1_000_000_000_000)), "4GB",
      "the memory limit of that program"
    ),
    .jetstream: (
      .choice(["on", "off"]), "off",
      "whether harvests read Bluesky's stream of all posts for followed tags: some hundred megabytes a day"
    ),
    .jetstreamServer: (.server(or: []), "jetstream2.us-east.bsky.network", "the server of that stream"),
    .plcDirectory: (.server(or: []), "plc.directory", "the directory of Bluesky's accounts"),
    .handleResolver: (.server(or: ["own"]), "own", "the server that knows Bluesky's handles; own means the login's"),
  ]
  private static let tenYears = Duration.seconds(3650 * 86_400)
  private static let megabyte = ByteCount(bytes: 1_000_000)
  private static let synonyms = ["true": "on", "yes": "on", "1": "on", "false": "off", "no": "off", "0": "off"]

  /// The type of its value.
  var kind: Kind { Self.table[self]!.kind }
  /// Whether it decides which programs run or which servers are believed, so that it counts only where the person alone can write it.
  var isCommand: Bool {
    switch kind {
    // Whoever names such a server decides what is believed of accounts.
    case .command, .server: return true
    default: return self == .extractors || self == .extractorConfig
    }
  }
  /// What is written behind it to set it.
  var sample: String {
    switch kind {
    case .command: "COMMAND"
    case .server: "SERVER"
    case .languages: "eng+deu"
    default: "on"
    }
  }
  /// Its default.
  var standard: String { Self.table[self]!.standard }
  /// Its description, for the list of settings.
  var help: String { Self.table[self]!.help }

  /// Its values, as text.
  var choices: String {
    switch kind {
    case .choice(let names): names.dropLast().joined(separator: ", ") + " or " + names.last!
    case .duration(let range):
      "a time such as \(standard), from \(Measures.text(range.lowerBound)) to \(Measures.text(range.upperBound))"
    case .size(let range): "a size such as \(standard), from \(range.lowerBound) to \(range.upperBound)"
    case .command: "one line for the shell, such as \"\(Self.commands[self] ?? "mail -s media ann")\", or off"
    case .languages: "languages as tesseract names them, at most \(TextLanguages.most), such as eng+deu, or off"
    case .server(let words): (["the address of a server, such as plc.directory"] + words).joined(separator: ", or ")
    }
  }

  private static let commands: [SettingKey: String] = [.opener: "feh", .look: "python3 onnx-clip.py ~/clip"]

  /// The setting with a name.
  static func named(_ name: String) throws(SettingError) -> SettingKey {
    let wanted = name.lowercased()
    if let key = SettingKey(rawValue: wanted) { return key }
    throw .unknownKey(name, nearest: Spelling.nearest(to: wanted, among: allCases.map(\.rawValue)))
  }

  /// The canonical form of a value: `ON` becomes `on`, `90 seconds` becomes `90s`.
  func canonical(_ text: String) throws(SettingError) -> String {
    let value = text.split(whereSeparator: \.isWhitespace).joined(separator: " ").lowercased()
    switch kind {
    case .choice(let names):
      if names.contains(value) { return value }
      if let name = Self.synonyms[value], names.contains(name), names.count == 2 { return name }
    case .duration(let range):
      if let duration = Measures.duration(value), range.contains(duration) { return Measures.text(duration) }
    case .size(let range):
      if let size = ByteCount(value), range.contains(size) { return size.description }
    case .command:
      if value.isEmpty || Self.synonyms[value] == "off" { return "off" }
      let line = text.trimmingWhiteSpace
      let isLine = line.utf8.count <= 4096 && line.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F }
      if isLine { return value == "off" ? value : line }
    case .languages:
      if Self.synonyms[value] == "off" { return "off" }
      if let languages = TextLanguages(value) { return languages.text }
    case .server(let words):
      if words.contains(value) { return value }
      if let server = Server(value) { return server.name }
    }
    throw .badValue(text, key: self)
  }
}

/// Why a setting cannot be set.
enum SettingError: ExplainedError, Equatable {
  /// No setting has this name; the most similar name.
  case unknownKey(String, nearest: String?)
  /// The setting does not accept this value.
  case badValue(String, key: SettingKey)
  /// A line of the settings file is invalid; why, and what to write instead.
  case malformed(String, cure: String?)

  var summary: String {
    switch self {
    case .unknownKey(let name, _): "\"\(Spelling.printable(name))\" is not a setting"
    case .badValue(let value, let key): "\"\(Spelling.printable(value))\" is not a value for \(key.rawValue)"
    case .malformed(let reason, _): reason
    }
  }

  var cure: String? {
    switch self {
    case .unknownKey(_, let nearest?): "did you mean \(nearest)?"
    case .unknownKey(_, nil): "the settings are \(SettingKey.allCases.map(\.rawValue).joined(separator: ", "))"
    case .badValue(_, let key): "give \(key.choices)"
    case .malformed(_, let cure): cure
    }
  }

  var exitCode: ExitCode { .usage }
}
