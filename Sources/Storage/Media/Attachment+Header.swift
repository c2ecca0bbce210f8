import Blobs
import Posts

extension Attachment {
  /// A file that a person attaches to a post. Its kind and its size in pixels are read from its bytes.
  public init(_ header: MediaHeader) {
    self.init(kind: header.kind, url: nil, width: header.size?.width, height: header.size?.height)
  }
}

extension MediaHeader {
  fileprivate var kind: Attachment.Kind {
    guard let type else { return .file }
    if type.isImage { return .image }
    if type.rawValue.hasPrefix("video/") { return .video }
    return type.rawValue.hasPrefix("audio/") ? .audio : .file
  }
}
