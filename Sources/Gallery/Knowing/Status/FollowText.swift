import FoundationEssentials
import Posts
import Storage

/// The state of a followed feed in words, with what to do about it.
struct FollowText {
  private let follow: Follow

  init(_ follow: Follow) { self.follow = follow }

  /// The state.
  var state: String {
    let schedule = follow.schedule
    return switch schedule.state {
    case .new: "not looked at yet"
    case .well: "well"
    case .failing: "failing" + (schedule.failures > 1 ? " (\(schedule.failures) times)" : "")
    case .limited: "waits for its server"
    case .login: "wants a login"
    case .gone: "gone for good"
    }
  }

  /// The class of its mark.
  var tone: String {
    switch follow.schedule.state {
    case .new: "soft"
    case .well: "good"
    case .limited: "warn"
    case .failing, .login, .gone: "bad"
    }
  }

  /// The command that helps; nil if nothing is wrong, or waiting helps.
  var cure: String? {
    switch follow.schedule.state {
    case .new, .well, .limited: nil
    case .failing: "media harvest \(ShellText.word(follow.feed.name))"
    case .login: "media login \(ShellText.word(follow.feed.server.name))"
    case .gone: "media follow \(ShellText.word(follow.feed.name))"
    }
  }
}

/// Text as a word of a shell's command line.
enum ShellText {
  static func word(_ text: String) -> String {
    let isPlain = { (scalar: Unicode.Scalar) in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "_-.:@/+,".unicodeScalars.contains(scalar))
    }
    guard text.isEmpty || !text.unicodeScalars.allSatisfy(isPlain) else { return text }
    return "'\(text.replacing("'", with: "'\\''"))'"
  }
}
