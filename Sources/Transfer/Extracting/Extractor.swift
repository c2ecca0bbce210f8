import FoundationEssentials
import JSONReading
import Posts
import SQLite
import Services
import Web

/// A program that knows how to read the sites that are no source of ours, and is installed by whoever wants it.
public struct Extractor: Sendable {
  /// Its name, by which it is found on PATH.
  public let name: String
  /// Its arguments for one run; what they name is written first.
  let arguments: @Sendable (Run) throws -> [String]
  /// Makes what reads its lines.
  let reader: @Sendable () -> any ExtractedLines
  /// Its exit status if it failed at single files or items alone, and whether a line of its words is about one of them.
  let singleFailures: (status: Int32, isOne: @Sendable (Substring) -> Bool)
  /// What its exit status and its last words mean.
  let failures: [(kind: ExtractorError.Reason, status: Int32, words: [String])]

  /// What one run is told.
  struct Run: Sendable {
    /// The web address.
    let address: String
    /// The folder of its files, which is removed afterwards.
    let folder: String
    /// The posts that the library has with all their files, each as its site and its id there.
    let known: Set<String>
    /// The most posts; nil for all.
    let most: Int?
    /// The most bytes of one file; nil for any.
    let mostBytes: Int64?
    /// The wanted kinds of files; nil for all.
    let only: Set<FileLimits.Kind>?
    /// Whether the person's own configuration of the program counts.
    let isConfigured: Bool
    /// The cookies of the address's host, as a file in Netscape's form.
    let cookies: String?

    /// Whether files of a kind are wanted.
    func wants(_ kind: FileLimits.Kind) -> Bool { only?.contains(kind) ?? true }

    /// The folder in it for what is fetched.
    var files: String { "\(folder)/files" }

    /// Writes the ids of the known posts as gallery-dl keeps them. Returns the path; nil if none is known.
    func writeKnownIDs() throws -> String? {
      guard !known.isEmpty || only != nil else { return nil }
      let path = "\(folder)/known.sqlite"
      let file = try Connection(path)
      defer { file.close() }
      try file.execute("CREATE TABLE archive (entry TEXT PRIMARY KEY) WITHOUT ROWID")
      try file.transaction(.immediate) { file in
        for id in known.map({ String($0.drop { $0 != " " }.dropFirst()) }) + [Extractor.leftOut] {
          try file.run("INSERT OR IGNORE INTO archive (entry) VALUES (?)", [id])
        }
      }
      return path
    }

    /// Writes a file that only this user can read. Returns its path.
    func write(_ text: String, as name: String) throws -> String {
      let path = "\(folder)/\(name)"
      let isMade = FileManager.default.createFile(
        atPath: path, contents: Data(text.utf8), attributes: [.posixPermissions: 0o600])
      guard isMade else { throw ImportError.failed(path) }
      return path
    }
  }

  /// Those that are tried, in this order.
  public static let all = [galleryDL, ytDlp]

  /// How many known posts in a row end a run: what is below them is known as well, unless a site moves posts.
  public static let enoughKnown = 20

  /// The name of a file that is not wanted, where names of files say what is known.
  static let leftOut = "left out"
}

/// Reads what an extractor writes, line by line.
protocol ExtractedLines {
  /// Reads a line.
  ///
  /// - Returns: What is whole with it.
  mutating func read(_ line: [UInt8]) -> [ExtractedPost]
  /// What is left when the program has ended, whole or not.
  mutating func end() -> [ExtractedPost]
}

/// A post as an extractor described it, with its files.
struct ExtractedPost: Sendable {
  struct File: Sendable {
    /// Its description.
    var raw: [UInt8]
    /// Where it came from; nil if that is not said.
    var address: String?
    /// Where it lies; nil if it was not fetched.
    var path: String?

    /// Whether its description says the ending of its name.
    var hasEnding: Bool {
      guard let fields = JSONObject(raw), let ending = fields.string("extension") ?? fields.string("ext") else {
        return false
      }
      return !ending.isEmpty
    }
  }

  /// The description of the post alone; nil if only its files are described.
  var raw: [UInt8]?
  var files: [File] = []

  var isEmpty: Bool { raw == nil && files.isEmpty }
}

// MARK: gallery-dl

extension Extractor {
  /// https://github.com/mikf/gallery-dl, of which docs/configuration.rst describes the options.
  static let galleryDL = Extractor(
    name: "gallery-dl",
    arguments: { run in
      let file = try run.write(try GalleryDLConfiguration.text(run), as: "gallery-dl.json")
      var arguments = run.isConfigured ? [] : ["--config-ignore"]
      arguments += ["--config", file, "--quiet"]
      if let most = run.most { arguments += ["--post-range", "1-\(most)"] }
      if let most = run.mostBytes { arguments += ["--filesize-max", "\(most)"] }
      // They write into it.
      if let cookies = run.cookies { arguments += ["--cookies", try run.write(cookies, as: "cookies.txt")] }
      return arguments + ["--", run.address]
    },
    reader: { GalleryDLLines() }, singleFailures: (4, { $0.hasPrefix("[download]") }),
    failures: [
      (.unknownSite, 64, ["Unsupported URL"]),
      (
        .needsLogin, 16, ["AuthRequired", "AuthenticationError", "AuthorizationError", "login", "access token", "401 "]
      ),
      (.gone, 8, ["NotFoundError", "404 ", "410 "]),
      (.blocked, 0, ["ChallengeError", "403 ", "429 ", "503 ", "Cloudflare"]),
    ])
}

/// What gallery-dl is told in a file.
private enum GalleryDLConfiguration {
  static func text(_ run: Extractor.Run) throws -> String {
    let lines: [JSONMembers] = [
      lines(at: "post"), lines(at: "prepare"), lines(at: "prepare", private: true, including: "_url"),
      lines(at: "after", "skip", private: true, including: "_path"), lines(at: "post-after", including: "count"),
    ]
    let extractor = JSONMembers(present: [
      "base-directory": run.files, "archive": try run.writeKnownIDs(),
      // No event adds to the archive: it only says what is known.
      "archive-format": entry(without: run.only), "archive-prefix": "", "archive-event": [String](),
      "text-posts": true, "retries": 2, "postprocessors": lines,
    ])
    return (["extractor": extractor] as JSONMembers).text
  }

  private static func lines(
    at events: String..., private isPrivate: Bool = false, including member: String? = nil
  ) -> JSONMembers {
    JSONMembers(present: [
      "name": "metadata", "mode": "jsonl", "filename": "-", "event": events, "private": isPrivate,
      "include": member.map { [$0] },
    ])
  }

  /// What a file is called in the archive: by the identity of its post, as `DownloadedPost` reads it. A file of an unwanted kind
  /// has a name that the archive holds, so that it is described and not fetched.
  private static func entry(without only: Set<FileLimits.Kind>?) -> String {
    let keys = ["tweet_id", "post_id", "post_shortcode", "id", "shortcode", "gallery_id", "image_id"]
    guard let only else { return "{\(keys.joined(separator: "|"))}" }
    let unwanted = DownloadedPost.endings.filter { !only.contains(FileLimits.Kind($0.value)) }.keys.sorted()
    let ending = "str(locals().get('extension') or '').lower()"
    var isUnwanted = "\(ending) in \(python(unwanted))"
    if !only.contains(.file) {
      isUnwanted += " or \(ending) not in \(python([""] + DownloadedPost.endings.keys.sorted()))"
    }
    let id = "str(next((v for v in map(locals().get, \(python(keys))) if v), ''))"
    // https://gdl-org.github.io/docs/formatting.html#special-type-format-strings
    return "\u{0C}E '\(Extractor.leftOut)' if \(isUnwanted) else \(id)"
  }

  private static func python(_ words: [String]) -> String { "[\(words.map { "'\($0)'" }.joined(separator: ","))]" }
}

/// Reads gallery-dl's lines: the post, then for each file its description, its address and, once it is there, its path. A line
/// that only counts ends the post.
struct GalleryDLLines: ExtractedLines {
  private var post = ExtractedPost()
  private var pending: [UInt8]?

  mutating func read(_ line: [UInt8]) -> [ExtractedPost] {
    guard let fields = JSONObject(line) else { return [] }
    if fields.has("_url") {
      post.files.append(ExtractedPost.File(raw: pending.take() ?? line, address: fields.string("_url")))
      return []
    }
    if fields.has("_path") {
      if !post.files.isEmpty { post.files[post.files.count - 1].path = fields.string("_path") }
      return []
    }
    guard fields.has("category") else { return end() }
    // What still waits is the description of a post. Older versions do not say where the one before ended.
    let before = pending.map { take(description: $0) } ?? []
    pending = line
    return before
  }

  mutating func end() -> [ExtractedPost] {
    defer { (post, pending) = (ExtractedPost(), nil) }
    let before = pending.map { take(description: $0) } ?? []
    return before + (post.isEmpty ? [] : [post])
  }

  private mutating func take(description: [UInt8]) -> [ExtractedPost] {
    defer { post = ExtractedPost(raw: description) }
    return post.isEmpty ? [] : [post]
  }
}

// MARK: yt-dlp

extension Extractor {
  /// https://github.com/yt-dlp/yt-dlp#usage-and-options
  static let ytDlp = Extractor(
    name: "yt-dlp",
    arguments: { run in
      let fields = [
        "id", "title", "description", "timestamp", "upload_date", "epoch", "uploader", "uploader_id", "uploader_url",
        "channel", "webpage_url", "extractor", "extractor_key", "tags", "categories", "duration", "width", "height",
        "ext", "filesize", "availability", "age_limit", "language", "license",
      ].joined(separator: ",")
      var arguments = run.isConfigured ? [] : ["--ignore-config"]
      arguments += [
        "--no-simulate", "--quiet", "--no-warnings", "--no-progress", "--no-exec", "--retries", "2",
        "--output", "\(run.files)/%(extractor_key)s/%(id)s.%(ext)s",
        "--print", "after_move:%(.{\(fields)})j", "--print", "after_move:%(.{filepath})j",
      ]
      if !run.known.isEmpty {
        let file = try run.write(run.known.sorted().map { "\($0)\n" }.joined(), as: "known.txt")
        arguments += ["--download-archive", file]
      }
      if let most = run.most { arguments += ["--playlist-items", "1:\(most)"] }
      if let most = run.mostBytes { arguments += ["--max-filesize", "\(most)"] }
      switch (run.wants(.video), run.wants(.audio)) {
      case (true, true): break
      case (true, false): arguments += ["--format", "bv*+ba/bv*"]
      case (false, true): arguments += ["--format", "ba[ext=m4a]/ba[ext=mp3]/ba"]
      case (false, false):
        arguments += ["--skip-download", "--print", "video:%(.{\(fields)})j", "--print", #"video:{"filepath":null}"#]
      }
      // They write into it.
      if let cookies = run.cookies { arguments += ["--cookies", try run.write(cookies, as: "cookies.txt")] }
      return arguments + ["--", run.address]
    },
    reader: { YtDlpLines() }, singleFailures: (1, { $0.contains(noFormat) }),
    failures: [
      (.unknownSite, 0, ["Unsupported URL", "is not a valid URL"]),
      (.needsLogin, 0, ["Sign in", "log in", "login required", "--cookies", "members-only", "HTTP Error 401"]),
      (.gone, 0, ["HTTP Error 404", "HTTP Error 410", "Video unavailable", "has been removed", "does not exist"]),
      (
        .blocked, 0,
        ["HTTP Error 403", "HTTP Error 429", "not a bot", "geo restriction", "not available in your country"]
      ),
      // What else went wrong says more.
      (.unwanted, 0, [noFormat]),
    ])

  /// What is said of an item that has no format of a wanted kind.
  private static let noFormat = "Requested format is not available"
}

/// Reads yt-dlp's lines: the description of each video, and its path once it is there, or none if it is not wanted.
struct YtDlpLines: ExtractedLines {
  private var pending: [UInt8]?

  mutating func read(_ line: [UInt8]) -> [ExtractedPost] {
    guard let fields = JSONObject(line) else { return [] }
    guard fields.has("filepath") else {
      pending = line
      return []
    }
    return pending.take().map { [ExtractedPost(files: [ExtractedPost.File(raw: $0, path: fields.string("filepath"))])] }
      ?? []
  }

  mutating func end() -> [ExtractedPost] { [] }
}
