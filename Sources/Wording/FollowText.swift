import Posts
import Storage

/// The state of a followed feed in words, with what to do about it.
package struct FollowText {
  private let follow: Follow
  private var schedule: Follow.Schedule { follow.schedule }

  /// The words of a followed feed.
  package init(_ follow: Follow) { self.follow = follow }

  /// `every 15 m`, or `about every 1 h` if the interval adapts.
  package var pace: String { "\(follow.every == nil ? "about " : "")every \(NumberText.span(schedule.interval))" }

  /// The state in a few words.
  package var state: String {
    switch schedule.state {
    case .new: schedule.pulledAt == nil ? "not looked at yet" : "not harvested yet"
    case .well: "well"
    case .failing: "failing" + (schedule.failures > 1 ? " (\(schedule.failures) times)" : "")
    case .limited: "waits for its server"
    case .login: "wants a login"
    case .gone: "gone for good"
    }
  }

  /// The state, since when it lasts, and why, on one line.
  ///
  /// - Parameter delay: The delay that the feed asks for.
  package func sentence(_ times: MomentText, delay: Duration?) -> String {
    let since = schedule.failingSince.map { " since \(times.brief($0))" } ?? ""
    let reason = schedule.failure.map { ": \($0)" } ?? ""
    return switch schedule.state {
    case .new: state
    case .well: delay.map { "well, would be left alone for \(NumberText.span($0))" } ?? state
    case .failing: "failing\(since)\(state.dropFirst("failing".count))\(reason)"
    case .login: "\(state)\(since)\(reason)"
    case .limited: "\(state)\(reason)"
    case .gone: "\(state), \"media follow\" asks again\(reason)"
    }
  }

  /// The command that helps; nil if nothing is wrong, or waiting helps.
  package var cure: String? {
    switch schedule.state {
    case .new, .well, .limited: nil
    case .failing: "media harvest \(ShellText.word(follow.feed.name))"
    case .login:
      "media login \(ShellText.word(follow.feed.server.name))"
        + (follow.feed.source == .usual ? "" : " --source \(ShellText.word(follow.feed.source.rawValue))")
    case .gone: "media follow \(ShellText.word(follow.feed.name))"
    }
  }
}

/// Text as a word of a shell's command line.
package enum ShellText {
  /// The text, quoted if it needs to be.
  package static func word(_ text: String) -> String {
    let isPlain = { (scalar: Unicode.Scalar) in
      scalar.isASCII
        && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
          || "_-.:@/+,".unicodeScalars.contains(scalar))
    }
    guard text.isEmpty || !text.unicodeScalars.allSatisfy(isPlain) else { return text }
    return "'\(text.replacing("'", with: "'\\''"))'"
  }
}
