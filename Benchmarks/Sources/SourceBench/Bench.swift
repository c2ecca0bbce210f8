import Foundation

/// SourceBench: measures every source, and prints a table with a line for each.
///
/// It starts itself with `feed FILE`: a process that reads one long feed and whose memory is measured.
@main struct Bench {
  static func main() async throws {
    let words = CommandLine.arguments.dropFirst()
    if words.first == "feed", words.count == 2, let file = words.last { return try await LongFeed.run(file) }
    guard words.isEmpty else {
      FileHandle.standardError.write(Data("usage: SourceBench\n".utf8))
      exit(64)
    }
    print("| a page of | posts | µs a post | times Mastodon's |")
    print("| --- | --- | --- | --- |")
    var mastodon: Double?
    for sample in Sample.all {
      let time = try await sample.timePerPost()
      mastodon = mastodon ?? time
      let ratio = time / (mastodon ?? time)
      print("| \(sample.name) | \(sample.posts) | \(Self.text(time)) | \(Self.text(ratio)) |")
    }
    print("\n\(try LongFeed.measure(10_000))")
    print("\nA stream read for 50 tags: \(StreamSample.perSecond()) events a second.")
  }

  static func text(_ number: Double) -> String { String(format: "%.2f", number) }
}
