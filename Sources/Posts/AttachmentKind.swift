extension Attachment.Kind {
  /// The kind of a file by its name (`image`, `Image`), by its media type (`image/png`), or else by the ending of one
  /// of its addresses. Anything else is a file.
  package static func of(name: String?, mediaType: String?, addresses: [String]) -> Self {
    let names = [name, mediaType].compactMap { $0?.lowercased().prefix { $0 != "/" } }
    for name in names {
      switch name {
      case "image": return .image
      case "gifv": return .gifv
      case "video": return .video
      case "audio": return .audio
      default: continue
      }
    }
    return addresses.lazy.compactMap(ending).first ?? .file
  }

  /// The kind that the ending of an address names.
  static func ending(of address: String) -> Self? {
    let path = address.prefix { $0 != "?" && $0 != "#" }
    return path.lastIndex(of: ".").flatMap { endings[path[path.index(after: $0)...].lowercased()] }
  }

  /// Kinds by the endings of file names.
  package static let endings: [String: Self] = [
    "jpg": .image, "jpeg": .image, "png": .image, "gif": .image, "webp": .image, "avif": .image, "jxl": .image,
    "heic": .image, "bmp": .image, "mp4": .video, "webm": .video, "mov": .video, "m4v": .video, "mp3": .audio,
    "m4a": .audio, "ogg": .audio, "opus": .audio, "flac": .audio, "wav": .audio,
  ]
}
