import FoundationEssentials
import Posts
import Wording

/// What a `media` command prints for programs, as far as a job tells it.
struct CommandResult: Decodable, Equatable {
  struct Posts: Decodable, Equatable { let new: Int, updated: Int, unchanged: Int }
  struct Media: Decodable, Equatable { let downloaded: Int, failed: Int }

  var feed: String?
  var posts: Posts?
  var media: Media?

  init?(_ line: String) {
    guard let result = try? JSONDecoder().decode(Self.self, from: Data(line.utf8)) else { return nil }
    self = result
  }

  /// Whether it tells of a pull that brought nothing.
  var isEmpty: Bool { (posts != nil || media != nil) && parts.isEmpty }

  /// One sentence; nil if there is nothing to say.
  var sentence: String? {
    guard posts != nil || media != nil else { return nil }
    let text = parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    return feed.map { "\($0): \(text)" } ?? text
  }

  private var parts: [String] {
    var parts: [String] = []
    if let posts, posts != Posts(new: 0, updated: 0, unchanged: 0) {
      parts.append(NumberText.count(posts.new, "new post"))
      if posts.updated > 0 { parts.append("\(NumberText.grouped(posts.updated)) updated") }
      if posts.new == 0, posts.unchanged > 0 { parts.append("\(NumberText.grouped(posts.unchanged)) known") }
    }
    if let media {
      if media.downloaded > 0 { parts.append(NumberText.count(media.downloaded, "picture")) }
      if media.failed > 0 { parts.append("\(NumberText.count(media.failed, "picture")) failed") }
    }
    return parts
  }
}

extension Job {
  /// The maximum number of lines kept of each kind. A child may print without end.
  private static let mostLines = 20

  /// Records what the child printed.
  mutating func note(_ output: ChildCommand.Output) {
    switch output {
    case .result(let line):
      guard let result = CommandResult(line) else { return }
      if let feed = result.feed, !feeds.contains(feed), feeds.count < Self.mostLines { feeds.append(feed) }
      guard let sentence = result.sentence, results.count + idle.count < Self.mostLines else { return }
      if result.isEmpty { idle.append(sentence) } else { results.append(sentence) }
    case .message(let line):
      let event = LogLine(line)
      if event?.event.isForPeople != false { note(event, line) }
    case .pause: break
    }
  }

  /// Records an event, or a line that is none, such as the last words of a crash.
  private mutating func note(_ event: LogLine?, _ line: String) {
    let text = String((event?.message ?? line).prefix(400))
    progress = text
    part = event?.progress?.share ?? part
    guard let event, event.level != .info else { return }
    guard event.event == .failure else { return add(text) }
    // The last failure is that of the whole command.
    if let failure { add(failure) }
    (failure, login) = (text, event.login)
  }

  private mutating func add(_ note: String) {
    if notes.count == Self.mostLines { notes.removeFirst() }
    notes.append(note)
  }

  /// Records the end of the command.
  mutating func finish(status: Int32, wasCancelled: Bool) {
    self.status = status
    (progress, part) = (nil, nil)
    defer { idle = [] }
    guard status != 0 else {
      state = .done
      results += idle
      if let failure { add(failure) }
      (failure, login) = (nil, nil)
      return
    }
    state = wasCancelled ? .cancelled : .failed
    failure = failure ?? notes.popLast() ?? Self.words(status)
  }

  /// Records that there is no command to run.
  mutating func fail(_ sentence: String) { (state, failure, progress) = (.failed, sentence, nil) }

  private static func words(_ status: Int32) -> String {
    status > 128
      ? "the command was ended by signal \(status - 128): what came is stored, try again"
      : "the command ended with \(status)"
  }
}
