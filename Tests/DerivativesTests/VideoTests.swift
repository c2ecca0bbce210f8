import Blobs
import Foundation
import Testing

@testable import Derivatives

/// The real `media-picture` with videos.
@Suite(.timeLimit(.minutes(20))) struct VideoTests {
  private static let videos: [(String, [Int])] = [
    ("upright.mp4", [96, 64]), ("upright.webm", [96, 64]), ("wide-pixels.mp4", [192, 64]),
  ]

  @Test(arguments: videos)
  func `a video is shown by a frame that is not its black beginning`(name: String, size: [Int]) async throws {
    let shop = try Shop()
    let seen = try await shop.derivatives().seen(try shop.put(try Fixture.bytes(name)))
    #expect(seen.size == size)
    #expect(seen.quarters == [.red, .blue, .red, .blue])
  }

  @Test func `a video stands as its camera says`() async throws {
    let shop = try Shop()
    let seen = try await shop.derivatives().seen(try shop.put(try Fixture.bytes("turned.mp4")))
    #expect(seen.size == [64, 96])
    #expect(seen.quarters == [.blue, .blue, .red, .red])
  }

  @Test func `sound has no picture, and says so`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    #expect(await derivatives.result(try shop.put(try Fixture.bytes("sound.mp3"))) == .failure(.sound))
    #expect(
      await derivatives.result(try shop.put(try Fixture.bytes("sound.mp4")))
        == .failure(.undecodable("the file holds no picture")))
    #expect(DerivativeError.sound.message == "This is sound, which has no picture.")
  }

  @Test func `damage at any offset of a video never ends the child`() async throws {
    let shop = try Shop()
    let derivatives = shop.derivatives()
    _ = try await derivatives.file(for: try shop.put(try Fixture.bytes("upright.mp4")), size: .small)
    let process = try #require(derivatives.processes.first)
    for name in ["upright.mp4", "upright.webm", "turned.mp4"] {
      let whole = try Fixture.bytes(name)
      for offset in stride(from: 0, to: whole.count, by: 17) {
        var bytes = whole
        bytes[offset] ^= 0x5A
        _ = await derivatives.result(try shop.put(bytes))
        #expect(derivatives.processes == [process], "\(name) at \(offset)")
      }
    }
  }
}
