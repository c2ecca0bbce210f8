// The server of `media serve`, which replaces itself by this program:
//
//   media-serve FOLDER PORT [read-only] [json] [quiet]
//
// It is a program of its own so that no other command carries a web server.

import FoundationEssentials
import Gallery
import Glibc
import MediaLibrary
import Posts

@main struct MediaServe {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    guard let words = Words(CommandLine.arguments.dropFirst()) else {
      complain(
        "media-serve: a \"media serve\" of the same version starts this: install media whole with Scripts/install")
      exit(64)
    }
    do {
      let library = try Library(in: words.folder)
      defer { library.close() }
      try await GalleryServer(options: words.options, library: library, now: { Date() }).run { address in
        print(words.isJSON ? "{\"url\":\"\(address)\"}" : address)
        fflush(nil)
        if !words.isQuiet { complain("Ctrl-C ends it.") }
      }
    } catch {
      complain("media: \(error)")
      exit((error as? any ExplainedError)?.exitCode.rawValue ?? 69)
    }
  }
}

/// What to serve, and how to report it.
private struct Words {
  let folder: String
  let options: GalleryServer.Options
  let isJSON: Bool
  let isQuiet: Bool

  /// Returns nil if `media` would not pass these arguments.
  init?(_ words: ArraySlice<String>) {
    let flags = Set(words.dropFirst(2))
    guard words.count >= 2, flags.isSubset(of: ["read-only", "json", "quiet"]),
      let port = Int(words[words.startIndex + 1])
    else { return nil }
    folder = words[words.startIndex]
    options = .init(port: port, isReadOnly: flags.contains("read-only"))
    (isJSON, isQuiet) = (flags.contains("json"), flags.contains("quiet"))
  }
}

/// A line for the person at the terminal.
private func complain(_ line: String) {
  let bytes = Array("\(line)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
