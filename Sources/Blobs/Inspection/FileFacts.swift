/// What the metadata of a file says of it: EXIF, XMP and IPTC of a picture, the container of a video.
///
/// A stranger wrote it. Texts are limited in length and hold no control characters; numbers are within their ranges.
public struct FileFacts: Codable, Sendable, Hashable {
  /// When it was taken, by the camera's clock: `2024-05-01T12:30:00`.
  public var takenAt: String?
  /// Minutes that the camera's clock was ahead of UTC; nil if it is not known.
  public var offset: Int?
  /// Degrees north of the equator, from -90 to 90.
  public var latitude: Double?
  /// Degrees east of Greenwich, from -180 to 180.
  public var longitude: Double?
  /// Maker and model of the camera: `Canon EOS R5`.
  public var camera: String?
  /// Who took it.
  public var artist: String?
  /// The copyright notice.
  public var copyright: String?
  /// What it shows, in the words of its maker.
  public var caption: String?
  /// Keywords of its maker.
  public var keywords: [String]
  /// How it came to be, the last part of an address of IPTC's vocabulary (https://cv.iptc.org/newscodes/digitalsourcetype):
  /// `trainedAlgorithmicMedia`.
  public var origin: String?
  /// The length of a video, sound or animated picture, in milliseconds.
  public var duration: Int?
  /// The codecs of a video or sound: `h264`, `aac`.
  public var codecs: [String]
  /// Whether it has sound; nil for a picture.
  public var hasSound: Bool?
  /// The source that says when it was taken, perhaps to the month or year alone; nil if the file does.
  public var takenBy: String?
  /// The source that says where it was taken; nil if the file does.
  public var placeBy: String?

  /// Nothing.
  public init() { (keywords, codecs) = ([], []) }

  // Ten years, in milliseconds.
  private static let longest = 315_360_000_000

  /// Whether numbers are within their ranges, texts no longer than a reader of files makes them, and nothing is of a source.
  public var isPlausible: Bool {
    let texts = [camera, artist, copyright, caption, origin].compactMap(\.self) + keywords + codecs
    return texts.allSatisfy { $0.utf8.count <= 16_000 } && keywords.count <= 200 && codecs.count <= 100
      && takenAt.map { $0.utf8.count == 19 } ?? true
      && (latitude == nil) == (longitude == nil) && latitude.map { abs($0) <= 90 } ?? true
      && longitude.map { abs($0) <= 180 } ?? true && (0...Self.longest).contains(duration ?? 0)
      && offset.map { abs($0) < 24 * 60 } ?? true && takenBy == nil && placeBy == nil
  }
}
