import Blobs
import Posts

extension Attachment {
  /// A file that a person attaches to a post. Its kind and its size in pixels are read from its bytes.
  ///
  /// - Parameters:
  ///   - header: What its bytes say.
  ///   - name: Its name, as `name(ofFile:)` gives it.
  public init(_ header: MediaHeader, name: String? = nil) {
    self.init(kind: header.kind, url: nil, width: header.size?.width, height: header.size?.height, name: name)
  }
}

extension MediaHeader {
  /// The kind of the file.
  package var kind: Attachment.Kind {
    guard let type else { return .file }
    if type.isImage { return .image }
    if type.rawValue.hasPrefix("video/") { return .video }
    return type.rawValue.hasPrefix("audio/") ? .audio : .file
  }
}
