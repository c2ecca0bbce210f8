// The server of `media demo`, which replaces itself by this program:
//
//   media-demo POSTS PORT SEED DIALECT [live] [json] [quiet]
//
// It is a program of its own so that no other command carries a web server.

import DemoServer
import FoundationEssentials
import Glibc

@main struct MediaDemo {
  static func main() async {
    // It stores nothing, so it can end at any time.
    for number in [SIGINT, SIGTERM] { signal(number) { _exit(128 + $0) } }
    signal(SIGPIPE, SIG_IGN)
    guard let asked = Options(CommandLine.arguments.dropFirst()) else {
      complain("media-demo: a \"media demo\" of the same version starts this: install media whole with Scripts/install")
      exit(64)
    }
    let server = DemoServer(options: asked.options, now: { Date() }, pause: { try await Task.sleep(for: $0) })
    do {
      try await server.run { url in
        print(asked.isJSON ? "{\"url\":\"\(url)\"}" : "\(url)")
        fflush(nil)
        guard !asked.isQuiet else { return }
        let api = asked.options.dialect.api
        complain("Log in: media login \(url)\(api.loginArguments)")
        complain("Pull:   media tag demo --server \(url)\(api.pullArguments)")
        if api.hasStream {
          complain("Stream: media follow tag:demo@bluesky+\(url) && media settings jetstream-server \(url) \\")
          complain("        && media settings jetstream on && media harvest")
          complain("        (afterwards: media settings jetstream-server jetstream2.us-east.bsky.network)")
        }
        complain("Ctrl-C ends it.")
      }
    } catch {
      complain("media: \(error)")
      exit(69)
    }
  }
}

/// What to serve, and how to report it.
private struct Options {
  let options: DemoServer.Options
  let isJSON: Bool
  let isQuiet: Bool

  /// Returns nil if `media` would not pass these arguments.
  init?(_ words: ArraySlice<String>) {
    let flags = Set(words.dropFirst(4))
    guard
      words.count >= 4, flags.isSubset(of: ["live", "json", "quiet"]), let posts = Int(words[words.startIndex]),
      let port = Int(words[words.startIndex + 1]), let seed = UInt64(words[words.startIndex + 2]),
      let dialect = Dialect(rawValue: words[words.startIndex + 3])
    else { return nil }
    options = .init(posts: posts, port: port, live: flags.contains("live"), seed: seed, dialect: dialect)
    (isJSON, isQuiet) = (flags.contains("json"), flags.contains("quiet"))
  }
}

/// A line for the person at the terminal.
private func complain(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
