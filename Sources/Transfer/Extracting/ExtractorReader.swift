import FoundationEssentials
import Glibc
import Machine
import Posts
import Services

/// Reads the posts of a web address through an extractor, while it fetches their files.
///
/// What the extractor fetched is handed on post by post, and stays if it fails later.
public final class ExtractorReader: ImportReader {
  /// The posts that the library has with all their files are passed over. So many settled ones in a row end the run.
  public struct Request: Sendable {
    /// The web address.
    public var address: String
    /// A folder for this run alone, on the library's disk. The caller removes it.
    public var folder: String
    /// A file that the program holds open as its standard input, so that a lock of it is held as long as the program runs, even
    /// if this one is killed; nil for none.
    public var lock: Int32?
    /// The posts that the library has with all their files, each as `DownloadedFile.post` names it.
    public var known: Set<String> = []
    /// Those of them below which nothing is missing.
    public var settled: Set<String> = []
    /// Whether known posts in a row do not end it.
    public var readsAll = false
    /// The most posts; nil for all.
    public var most: Int?
    /// The most bytes of one file, and of all files together; nil for any number.
    public var mostBytes: Int64?, mostInAll: Int64?
    /// The wanted kinds of files; nil for all.
    public var only: Set<FileLimits.Kind>?
    /// Whether the person's own configuration of the program counts. What it shows may be meant for them alone.
    public var isConfigured = false
    /// The cookies of the address's host, as a file in Netscape's form. What they show may be meant for the person alone.
    public var cookies: String?

    /// A request for all that is not known.
    public init(address: String, folder: String) { (self.address, self.folder) = (address, folder) }
  }

  private let extractor: Extractor
  private let program: String
  private let request: Request
  private let environment: [String: String]
  private let now: @Sendable () -> Date
  private let mustEnd: @Sendable () -> Bool
  /// The files of the current run, removed when they are stored.
  private var fetchedBytes: Int64 = 0
  private var settledInRow = 0

  /// Why the last run did not bring all; nil if it did.
  public private(set) var failure: ExtractorError?
  /// How many posts were passed over because they are known.
  public private(set) var known = 0
  /// How many posts it described, whatever became of them.
  public private(set) var seen = 0
  private var absentFiles = 0
  /// How many items were left out, as they have no file of a wanted kind.
  public private(set) var unwanted = 0
  /// Whether the last run came to posts below which nothing is missing.
  public private(set) var hasMetSettled = false
  /// Whether the last run was ended before the page was: by settled posts in a row, or as the person or a limit wanted it.
  public private(set) var endedEarly: EarlyEnd?

  /// What ends a run early.
  public enum EarlyEnd: Sendable { case settled, wanted, total }
  /// A line that is longer is no description of a post.
  private static let longestLine = 8 << 20
  /// How long a program may write nothing.
  private static let patience: TimeInterval = 600
  /// How long a program may take to end when it is told to.
  private static let grace: TimeInterval = 5

  /// A reader.
  ///
  /// - Parameters:
  ///   - extractor: The extractor.
  ///   - program: Its path.
  ///   - request: What it is asked.
  ///   - environment: The environment of the program.
  ///   - now: The clock, by which its silence is measured.
  ///   - mustEnd: Whether the person wants it to end.
  public init(
    _ extractor: Extractor, at program: String, _ request: Request, environment: [String: String],
    now: @escaping @Sendable () -> Date, mustEnd: @escaping @Sendable () -> Bool
  ) {
    (self.extractor, self.program, self.request) = (extractor, program, request)
    (self.environment, self.now, self.mustEnd) = (environment, now, mustEnd)
  }

  /// Nobody knows it before.
  public var total: Int? { request.most }
  /// Nothing is left out but what is known.
  public var leftOut: [(what: String, count: Int)] { [] }
  /// Its posts are shown as they come.
  public var isLive: Bool { true }

  /// The folder that it fills.
  public static func folder(of request: Request) -> String { "\(request.folder)/files" }

  /// Runs the program, and hands on each post once its files are there.
  public func eachPost(_ found: (FoundPost) throws -> Void) throws {
    (failure, known, settledInRow, fetchedBytes) = (nil, 0, 0, 0)
    (hasMetSettled, endedEarly, seen, absentFiles, unwanted) = (false, nil, 0, 0, 0)
    let run = Extractor.Run(
      address: request.address, folder: request.folder, known: request.known, most: request.most,
      mostBytes: request.mostBytes, only: request.only, isConfigured: request.isConfigured, cookies: request.cookies)
    try FileManager.default.createDirectory(
      atPath: run.files, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    // Otherwise its lines come when its buffer is full.
    let variables = environment.merging(["PYTHONUNBUFFERED": "1"]) { $1 }.map { "\($0)=\($1)" }
    let child: LineChild
    do {
      child = try LineChild(program, try extractor.arguments(run), environment: variables, input: request.lock)
    } catch let error as Spawning.NotStarted {
      throw ExtractorError.notStarted(program: extractor.name, reason: String(cString: strerror(error.code)))
    }
    defer { child.end(grace: Self.grace) }
    try read(child, found)
  }

  private func read(_ child: LineChild, _ found: (FoundPost) throws -> Void) throws {
    var lines = extractor.reader()
    var lastWord = now()
    while true {
      if mustEnd() {
        endedEarly = .wanted
        return
      }
      if now().timeIntervalSince(lastWord) > Self.patience {
        let minutes = Int(Self.patience / 60)
        failure = .silent(program: extractor.name, address: request.address, minutes: minutes)
        return
      }
      guard let read = try child.lines(longest: Self.longestLine) else { break }
      if read.wroteAnything { lastWord = now() }
      for line in read.lines {
        for post in lines.read(line) where try !take(post, found) { return }
      }
    }
    for post in lines.end() where try !take(post, found) { return }
    let status = child.wait(grace: Self.grace)
    if status != 0, !isOfSingles(status, child.lastWords) { failure = error(status, child.lastWords) }
  }

  /// Hands a post on. False ends the run.
  private func take(_ post: ExtractedPost, _ found: (FoundPost) throws -> Void) throws -> Bool {
    seen += 1
    let name = (post.files.first?.raw ?? post.raw).flatMap { DownloadedFile($0)?.post }
    if let name, request.known.contains(name) {
      let isSettled = request.settled.contains(name)
      (known, settledInRow) = (known + 1, isSettled ? settledInRow + 1 : 0)
      hasMetSettled = hasMetSettled || isSettled
      guard !request.readsAll, settledInRow >= Extractor.enoughKnown else { return true }
      endedEarly = .settled
      return false
    }
    settledInRow = 0
    let whole = self.post(post)
    absentFiles += whole.absent.count
    // Of a file that is not there, its address alone would be left.
    guard whole.isThere else { return true }
    try found(whole)
    guard let most = request.mostInAll, fetchedBytes > most else { return true }
    endedEarly = .total
    return false
  }

  private func post(_ extracted: ExtractedPost) -> FoundPost {
    let files = extracted.files.map { inside($0.path) }
    let descriptions = extracted.files.isEmpty ? [extracted.raw ?? []] : extracted.files.map(\.raw)
    let changed = files.lazy.compactMap { $0?.changed }.first ?? now()
    var item = Catalogue.fetchedPost(descriptions, from: extracted.files.map(\.address), changed: changed)
    if case .post(var post) = item.content {
      for (index, file) in files.enumerated() where post.attachments.indices.contains(index) {
        fetchedBytes += file?.bytes ?? 0
        guard post.attachments[index].kind == .file, let path = file?.path else { continue }
        post.attachments[index].kind = DownloadedPost.kind(ofFile: path)
      }
      post.visibility = post.visibility ?? ownVisibility
      item.content = .post(post)
    }
    var found = FoundPost(item, files: files.map { $0?.path })
    found.origin = extractor.name
    for (index, file) in files.enumerated() where file == nil {
      if isLeftOut(extracted.files[index], index, of: found) {
        found.leftOut[index] = LeftOut(.kind, of: FileLimits(only: request.only))
      } else {
        found.absent[index] = extracted.files[index].address.map(Feed.spoken) ?? "a file"
      }
    }
    return found
  }

  /// Whether a file was not fetched because its kind is not wanted.
  private func isLeftOut(_ described: ExtractedPost.File, _ index: Int, of found: FoundPost) -> Bool {
    guard let only = request.only, let post = found.item.post, post.attachments.indices.contains(index) else {
      return false
    }
    let kind = post.attachments[index].kind
    // What does not say its kind was to be fetched.
    return !only.contains(FileLimits.Kind(kind)) && (kind != .file || described.hasEnding)
  }

  /// A fetched file by its path below the folder; nil if it is not there, or anywhere else.
  private func inside(_ path: String?) -> (path: String, bytes: Int64, changed: Date)? {
    guard let path, let real = realPath(path), let folder = realPath(Self.folder(of: request)),
      real.hasPrefix("\(folder)/")
    else { return nil }
    var status = stat()
    guard lstat(real, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let changed = Date(timeIntervalSince1970: Double(status.st_mtim.tv_sec))
    return (String(real.dropFirst(folder.utf8.count + 1)), Int64(status.st_size), changed)
  }

  /// Removes the files of posts that are stored, so that the disk holds them once.
  public func stored(_ posts: [FoundPost]) {
    for path in posts.flatMap(\.files) {
      if let path { unlink("\(Self.folder(of: request))/\(path)") }
    }
  }

  /// Whether a run failed at single files or items alone. Absent files are told one by one; items without a file of a wanted kind
  /// are counted, if the page has others.
  private func isOfSingles(_ status: Int32, _ lastWords: String) -> Bool {
    let errors = lastWords.split(whereSeparator: \.isNewline).filter {
      $0.contains("[error]") || $0.hasPrefix("ERROR:")
    }
    guard status == extractor.singleFailures.status, errors.allSatisfy(extractor.singleFailures.isOne) else {
      return false
    }
    if absentFiles > 0 { return true }
    unwanted = request.only != nil && (seen > 0 || !request.known.isEmpty) ? errors.count : 0
    return unwanted > 0
  }

  private func error(_ status: Int32, _ lastWords: String) -> ExtractorError {
    // A signal ended it: its number is no bit of a status.
    let status = status < 128 ? status : 0
    let told = extractor.failures.first { failure in
      failure.words.contains { lastWords.contains($0) }
        || failure.status & status == failure.status && failure.status > 0
    }
    let line = lastWords.split(whereSeparator: \.isNewline).last { $0.lowercased().contains("error") }
    return .refused(
      program: extractor.name, address: request.address, told?.kind ?? .failed,
      // It may name the addresses that it asked, with the keys in them.
      said: line.map { String($0.prefix(300)).withoutQueries })
  }

  /// Who may see what does not say it: not everybody, if a login showed it, or a key in the address.
  private var ownVisibility: Visibility? {
    if request.isConfigured || request.cookies != nil { return .followers }
    return Catalogue.visibility(of: Catalogue.ofAddresses, answer: nil, addresses: [request.address])
  }
}

extension FoundPost {
  /// Whether it says anything, or has a file.
  fileprivate var isThere: Bool {
    guard case .post(let post) = item.content else { return true }
    return files.isEmpty || files.contains { $0 != nil } || !leftOut.isEmpty || !post.caption.isEmpty
      || post.title != nil
  }
}
