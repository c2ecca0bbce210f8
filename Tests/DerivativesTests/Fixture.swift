import Foundation
import Testing

/// Files that programs wrote: ffmpeg the videos and the sound, Pillow the pictures. The videos are 96 × 64 pixels and
/// three seconds long. They begin black; then the left half is red, and the right half blue.
///
/// Those whose names begin with `film` are ffmpeg's test patterns of six seconds: `film-cut` is four of them, and
/// `film-of-gif.mp4` is made of `film.gif`.
enum Fixture {
  static func bytes(_ name: String) throws -> [UInt8] {
    let url = try #require(Bundle.module.url(forResource: "Fixtures/\(name)", withExtension: nil))
    return Array(try Data(contentsOf: url))
  }
}
