import Blobs

/// How a browser may use stored bytes. It depends only on the type that the library detected in them, never on what a
/// server or a request said.
struct ServedType: Sendable, Equatable {
  /// The type; nil if it is unknown.
  let type: MediaType?

  /// The type of a stored blob.
  init(mediaType: String?) { type = mediaType.flatMap(MediaType.init(rawValue:)) }

  /// For `Content-Type`.
  var contentType: String { type?.rawValue ?? "application/octet-stream" }

  /// Whether a browser may show it in a page or in a tab. Everything else could contain script, and is only downloaded.
  var isInline: Bool {
    switch type {
    case .jpeg, .png, .gif, .webp, .avif, .heic, .jpegXL, .jpeg2000, .bmp, .tiff, .icon: true
    case .mp4, .quickTime, .webm, .matroska, .mp3, .m4a, .ogg, .wav, .flac: true
    case .svg, .html, nil: false
    }
  }

  /// Whether browsers draw it as a picture.
  var isDrawnByBrowsers: Bool {
    switch type {
    case .jpeg, .png, .gif, .webp, .avif, .bmp, .icon: true
    default: false
    }
  }

  /// The extension of a file of this type; nil if the type is unknown.
  var fileExtension: String? { type?.fileExtension }
}
