import FoundationEssentials

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

  /// One sentence; nil if there is nothing to say.
  var sentence: String? {
    guard posts != nil || media != nil else { return nil }
    var parts: [String] = []
    if let posts, posts != Posts(new: 0, updated: 0, unchanged: 0) {
      parts.append(Self.count(posts.new, "new post"))
      if posts.updated > 0 { parts.append("\(posts.updated) updated") }
      if posts.new == 0, posts.unchanged > 0 { parts.append("\(posts.unchanged) known") }
    }
    if let media {
      if media.downloaded > 0 { parts.append(Self.count(media.downloaded, "picture")) }
      if media.failed > 0 { parts.append("\(Self.count(media.failed, "picture")) failed") }
    }
    let text = parts.isEmpty ? "nothing new" : parts.joined(separator: ", ")
    return feed.map { "\($0): \(text)" } ?? text
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }
}

extension Job {
  /// The maximum number of lines kept of each kind. A child may print without end.
  private static let mostLines = 20
  private static let prefix = "media: "

  /// Records what the child printed.
  mutating func note(_ output: ChildCommand.Output) {
    switch output {
    case .result(let line):
      guard let result = CommandResult(line) else { return }
      if let feed = result.feed, !feeds.contains(feed), feeds.count < Self.mostLines { feeds.append(feed) }
      if let sentence = result.sentence, results.count < Self.mostLines { results.append(sentence) }
    case .message(let line):
      let text = line.hasPrefix(Self.prefix) ? String(line.dropFirst(Self.prefix.count)) : line
      progress = String(text.prefix(400))
      part = Self.part(of: text) ?? part
      guard line.hasPrefix(Self.prefix) else { return }
      if notes.count == Self.mostLines { notes.removeFirst() }
      notes.append(String(text.prefix(400)))
    case .pause: break
    }
  }

  /// Records the end of the command.
  mutating func finish(status: Int32, wasCancelled: Bool) {
    self.status = status
    (progress, part) = (nil, nil)
    guard status != 0 else {
      state = .done
      return
    }
    state = wasCancelled ? .cancelled : .failed
    results.removeAll { $0.hasSuffix("nothing new") }
    // A command says last why it failed.
    failure = notes.popLast() ?? Self.words(status)
    login = failure.flatMap(Self.login)
  }

  /// Records that there is no command to run.
  mutating func fail(_ sentence: String) { (state, failure, progress) = (.failed, sentence, nil) }

  private static func words(_ status: Int32) -> String {
    status > 128
      ? "the command was ended by signal \(status - 128): what came is stored, try again"
      : "the command ended with \(status)"
  }

  /// The part of a line such as `tag:cats@mastodon.social: page 3 of 10, 40 posts`; nil if it tells none.
  static func part(of line: String) -> Double? {
    guard let match = line.firstMatch(of: /: (?:page )?([0-9]{1,6}) of ([0-9]{1,6})(?:,|$)/),
      let done = Double(match.1),
      let all = Double(match.2), all > 0
    else { return nil }
    return min(done / all, 1)
  }

  /// The server of the login that a sentence asks for; nil if it asks for none, or for one that needs keys.
  static func login(_ sentence: String) -> String? {
    sentence.firstMatch(of: /"media login ([^ "]+)"/).map { String($0.1) }
  }
}
