/// What `media-picture` says when it is started with `mode` as its only argument: a line for each kind of file that it can
/// draw, of those that are known here.
public enum FormatsProtocol {
  /// The argument.
  public static let mode = "formats"

  /// A kind of file, and the package of Debian that draws it.
  public struct Format: Sendable {
    /// The name that the program prints.
    public let name: String
    /// The media type by which its loader is found; nil for videos.
    public let mediaType: String?
    /// The package.
    public let package: String
    /// Whether most libraries have such files.
    public var isCommon = true
  }

  /// The kinds, the most common ones first.
  public static let known = [
    Format(name: "JPEG", mediaType: "image/jpeg", package: "libgdk-pixbuf-2.0-0"),
    Format(name: "PNG", mediaType: "image/png", package: "libgdk-pixbuf-2.0-0"),
    Format(name: "GIF", mediaType: "image/gif", package: "libgdk-pixbuf-2.0-0"),
    Format(name: "WebP", mediaType: "image/webp", package: "webp-pixbuf-loader"),
    Format(name: "videos", mediaType: nil, package: "ffmpeg"),
    Format(name: "AVIF", mediaType: "image/avif", package: "libavif-gdk-pixbuf", isCommon: false),
    Format(name: "HEIC", mediaType: "image/heic", package: "heif-gdk-pixbuf", isCommon: false),
    Format(name: "TIFF", mediaType: "image/tiff", package: "libgdk-pixbuf-2.0-0", isCommon: false),
  ]
}
