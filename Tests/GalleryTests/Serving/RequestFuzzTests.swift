import Foundation
import Machine
import Testing

@testable import Gallery

/// Requests with something wrong in them. `Scripts/fuzz gallery SECONDS` sends more of them.
@Suite(.timeLimit(.minutes(60))) struct RequestFuzzTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let seconds = environment["GALLERY_FUZZ_SECONDS"].flatMap(Int.init)
  private static let seed = environment["GALLERY_FUZZ_SEED"].flatMap(UInt64.init) ?? 1

  /// What strangers may have: the stylesheet, the scripts and the sign-in page, or the head of one.
  private static func isPublic(_ answer: RawAnswer) -> Bool {
    let type = answer["content-type"] ?? ""
    return type.hasPrefix("text/css") || type.hasPrefix("text/javascript") || answer.text.contains("<title>Sign in ·")
      || answer.body.isEmpty
  }

  /// What is wrong with the answer to a request; nil if nothing is.
  private static func fault(of answer: RawAnswer, to made: RequestFuzzer.Made) -> String? {
    if let status = answer.statuses.first(where: { $0 >= 500 }) { return "\(status)" }
    guard !made.isSignedIn else { return nil }
    if answer.text.contains(ServedGallery.secret) { return "a post is shown" }
    return answer.statuses.contains(200) && !isPublic(answer) ? "something is shown" : nil
  }

  @Test func `the gallery answers every request without failing or showing a stranger anything`() async throws {
    try await withGallery { gallery in
      let cookie = try await gallery.cookie()
      let end = Self.seconds.map { Date(timeIntervalSinceNow: TimeInterval($0)) }
      let (sent, faults) = try await BlockingExecutor("test.fuzzer").run {
        var fuzzer = RequestFuzzer(seed: Self.seed, host: gallery.host, cookie: cookie)
        var (count, faults) = (0, [String]())
        while faults.count < 5, end.map({ Date() < $0 }) ?? (count < 2_000) {
          let made = fuzzer.next()
          count += 1
          let answer = try RawSocket.exchange(made.bytes, port: gallery.port)
          guard let fault = Self.fault(of: answer, to: made) else { continue }
          let text = String(decoding: made.bytes.prefix(2_000), as: UTF8.self).debugDescription
          faults.append("request \(count), \(text): \(fault): \(answer.text.prefix(300))")
        }
        return (count, faults)
      }
      #expect(faults.isEmpty, "seed \(Self.seed)")
      if Self.seconds != nil { print("seed \(Self.seed): \(sent) requests") }
      // It still answers, and nobody was signed out.
      #expect(try await gallery.get("/", cookie).status == 200)
    }
  }
}
