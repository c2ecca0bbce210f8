import Folders
import Foundation
import Posts
import Services
import Synchronization
import Testing

@testable import Transfer

/// Extractors that do not behave.
@Suite(.timeLimit(.minutes(5))) struct ExtractorReaderTests {
  /// What a run gave.
  private struct Outcome {
    let posts: [FoundPost]
    let failure: ExtractorError?
    let unwanted: Int
    let seconds: Double
  }

  private let scratch: Scratch
  init() throws { scratch = try Scratch() }

  /// Runs a script in place of gallery-dl. `$S` is the folder in which it may write.
  private func run(
    _ script: String, as extractor: Extractor = .galleryDL, known: Set<String> = [],
    now: @escaping @Sendable () -> Date = { Date() },
    mustEnd: @escaping @Sendable () -> Bool = { false }, change: (inout ExtractorReader.Request) -> Void = { _ in },
    found: (FoundPost) throws -> Void = { _ in }
  ) throws -> Outcome {
    let folder = "\(scratch.path)/\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: "\(folder)/files", withIntermediateDirectories: true)
    let program = "\(folder)/program"
    try "#!/bin/bash\nS=\(folder)/files\n\(script)\n".write(toFile: program, atomically: true, encoding: .utf8)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
    var request = ExtractorReader.Request(address: "https://site.example/gallery", folder: folder)
    (request.known, request.settled) = (known, known)
    change(&request)
    let reader = ExtractorReader(
      extractor, at: program, request, environment: ProcessInfo.processInfo.environment, now: now, mustEnd: mustEnd)
    var posts: [FoundPost] = []
    let start = Date()
    try reader.eachPost { post in
      posts.append(post)
      try found(post)
    }
    return Outcome(
      posts: posts, failure: reader.failure, unwanted: reader.unwanted, seconds: Date().timeIntervalSince(start))
  }

  private func lines(_ id: Int, path: String, saying words: String = "words") -> String {
    """
    printf '{"category":"site","id":\(id),"date":"2026-01-02 03:04:05","content":"%s","extension":"jpg"}\\n' "\(words)"
    printf '{"_url":"https://site.example/\(id).jpg"}\\n{"_path":"%s"}\\n{"count":1}\\n' "\(path)"
    """
  }

  @Test func `posts come with the files that lie in the folder, and no others`() throws {
    let outcome = try run(
      """
      echo one > $S/1.jpg; mkdir $S/deep; echo two > $S/deep/2.jpg; ln -s /etc/passwd $S/3.jpg; mkfifo $S/4.jpg
      ln -s /etc $S/etc
      \(lines(1, path: "$S/1.jpg")); \(lines(2, path: "$S/deep/2.jpg")); \(lines(3, path: "$S/3.jpg"))
      \(lines(4, path: "$S/4.jpg")); \(lines(5, path: "$S/../../outside")); \(lines(6, path: "/etc/passwd"))
      \(lines(7, path: "$S/etc/passwd")); \(lines(8, path: "$S/gone.jpg"))
      """)
    #expect(outcome.failure == nil)
    #expect(outcome.posts.map(\.files) == [["1.jpg"], ["deep/2.jpg"]] + Array(repeating: [nil], count: 6))
    #expect(outcome.posts[0].item.post?.attachments.first?.url == "https://site.example/1.jpg")
    #expect(outcome.posts[7].absent == [0: "https://site.example/8.jpg"])
  }

  @Test func `of a file that is not there, nothing is left but what is said beside it`() throws {
    let silent = lines(1, path: "$S/gone.jpg", saying: "")
    #expect(try run("\(silent); \(lines(2, path: "$S/gone.jpg"))").posts.map { $0.item.post?.remoteID } == ["2"])
  }

  @Test func `garbage and endless lines are passed over, and the posts between them come`() throws {
    let outcome = try run(
      """
      echo not JSON; head -c 30000000 /dev/zero | tr '\\0' x; echo
      \(lines(1, path: "$S/1.jpg")); printf '\\xff\\xfe{"_path"\\n'; \(lines(2, path: "$S/2.jpg")); printf 'no end'
      """)
    #expect(outcome.posts.compactMap { $0.item.post?.remoteID } == ["1", "2"] && outcome.failure == nil)
  }

  @Test(arguments: [
    ("echo '[site][error] NotFoundError: Requested user could not be found' >&2; exit 4", ExtractorError.Reason.gone),
    ("echo '[site][error] AuthRequired: login needed' >&2; exit 16", .needsLogin), ("exit 16", .needsLogin),
    ("exit 64", .unknownSite), ("echo \"[site][error] HttpError: '429 Too Many Requests'\" >&2; exit 4", .blocked),
    ("echo '[site][error] ChallengeError: Cloudflare' >&2; exit 1", .blocked),
    ("echo \"KeyError: 'data'\" >&2; exit 1", .failed), ("kill -SEGV $$", .failed),
  ])
  func `what a program says when it fails becomes an error with a cure`(
    script: String, reason: ExtractorError.Reason
  ) throws {
    let outcome = try run("\(lines(1, path: "$S/1.jpg"))\n\(script)")
    guard case .refused("gallery-dl", _, reason, _) = outcome.failure else {
      Issue.record("\(String(describing: outcome.failure))")
      return
    }
    // What came before is handed on.
    #expect(outcome.posts.count == 1)
  }

  @Test func `a program that hangs is ended with all that it started`() throws {
    let moments = Mutex(0)
    let child = "\(scratch.path)/child"
    let outcome = try run(
      "trap '' TERM; (trap '' TERM; echo $BASHPID > \(child); exec sleep 1000) & echo x; sleep 1000",
      now: {
        Date(
          timeIntervalSince1970: Double(
            moments.withLock {
              $0 += 400; return $0
            }))
      })
    guard case .silent(_, _, 10) = outcome.failure else {
      Issue.record("\(String(describing: outcome.failure))")
      return
    }
    let process = try #require(pid_t(String(contentsOfFile: child, encoding: .utf8).trimmingCharacters(in: .newlines)))
    // The system ends it after it was told to, and nobody may wait for what is left of it.
    func isRunning() -> Bool {
      let state = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8)
      return state?.contains(") Z ") == false
    }
    while isRunning() { usleep(10_000) }
  }

  @Test func `a run ends when the person wants it, when the library fails, and after enough known posts`() throws {
    struct Full: Error {}
    let endless =
      "i=0; while :; do i=$((i+1)); \(lines(0, path: "$S/0").replacing("\"id\":0", with: "\"id\":'$i'")); done"
    let seen = Mutex(0)
    let wanted = try run(
      endless, mustEnd: { seen.withLock { $0 } >= 3 }, found: { _ in seen.withLock { $0 += 1 } })
    #expect(wanted.posts.count >= 3 && wanted.failure == nil)
    #expect(throws: Full.self) { try run(endless, found: { _ in throw Full() }) }
    let known = Set((2...500).map { "site \($0)" })
    #expect(try run(endless, known: known).posts.map { $0.item.post?.remoteID } == ["1"])
    let ending = endless.replacing("while :", with: "while [ $i -lt 502 ]")
    let all = try run(ending, known: known, change: { $0.readsAll = true })
    #expect(all.posts.map { $0.item.post?.remoteID } == ["1", "501", "502"])
  }

  @Test func `what a login showed is not for everybody unless it says so`() throws {
    for (isOwn, visibility) in [(false, nil), (true, Visibility.followers)] {
      let outcome = try run(lines(1, path: "$S/1.jpg"), change: { $0.isConfigured = isOwn })
      #expect(outcome.posts[0].item.post?.visibility == visibility)
    }
  }

  @Test func `a key in the address is not told, and what it opens is not for everybody`() throws {
    let outcome = try run(
      "\(lines(1, path: "$S/1.jpg"))\necho \"[site][error] Error: 'https://site.example/a?access_token=hush'\" >&2; exit 1",
      change: { $0.address = "https://site.example/gallery?access_token=hush" })
    #expect(outcome.posts[0].item.post?.visibility == .followers)
    let failure = try #require(outcome.failure)
    #expect(!"\(failure)".contains("hush") && failure.summary.contains("https://site.example/a?…"))
  }

  @Test func `a program that is not there is told`() throws {
    let request = ExtractorReader.Request(address: "https://site.example/", folder: scratch.path)
    let reader = ExtractorReader(
      .galleryDL, at: "\(scratch.path)/nothing", request, environment: [:], now: { Date() }, mustEnd: { false })
    #expect(throws: ExtractorError.notStarted(program: "gallery-dl", reason: "No such file or directory")) {
      try reader.eachPost { _ in }
    }
  }

  @Test func `an item without a file of a wanted kind fails no page that has others, and hides no other error`() throws
  {
    let item =
      #"echo a > $S/a.m4a; printf '{"id":"a","title":"a","extractor":"site","ext":"m4a"}\n{"filepath":"%s"}\n' $S/a.m4a"#
    let none = "echo 'ERROR: [site] b: Requested format is not available. Use --list-formats' >&2"
    let other = "echo 'ERROR: [site] c: HTTP Error 403: Forbidden' >&2"
    func reason(_ script: String) throws -> (ExtractorError.Reason?, unwanted: Int) {
      let outcome = try run("\(script); exit 1", as: .ytDlp, change: { $0.only = [.audio] })
      guard case .refused(_, _, let reason, _)? = outcome.failure else { return (nil, outcome.unwanted) }
      return (reason, outcome.unwanted)
    }
    #expect(try reason("\(item); \(none); \(none)") == (nil, 2))
    #expect(try reason("\(item); \(other); \(none)") == (.blocked, 0))
    #expect(try reason(none) == (.unwanted, 0))
  }

  @Test func `a file that is not there is no failure of the page`() throws {
    let lost = try run(
      "\(lines(1, path: "$S/gone.jpg")); echo '[download][error] Failed to download 404 x.jpg' >&2; exit 4")
    #expect(lost.failure == nil && lost.posts.map(\.absent) == [[0: "https://site.example/1.jpg"]])
  }
}
