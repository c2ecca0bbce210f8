/// Why bytes are not the requested media.
public enum MediaFault: Error, Hashable, Sendable {
  /// There are no bytes.
  case empty
  /// A web page instead of the file.
  case html
  /// Fewer or more bytes than the server announced.
  case wrongLength(announced: Int, received: Int)
  /// The end is missing.
  case cutShort
  /// Not a picture, although a picture was expected.
  case notAnImage
  /// A picture without a size, or with a side of more than 65,535 pixels.
  case badSize
}

extension MediaHeader {
  /// The expected kind of media.
  public enum Expectation: Sendable { case image, anything }

  /// The maximum side of a picture, in pixels.
  public static let longestSide = 65_535

  /// Returns why these bytes must not be stored, or nil if they may be.
  ///
  /// - Parameter announced: the length that the server announced. If it is nil, the bytes themselves have to show their
  ///   end.
  public func fault(expecting expectation: Expectation, announced: Int?) -> MediaFault? {
    if byteCount == 0 { return .empty }
    if let announced, announced != byteCount { return .wrongLength(announced: announced, received: byteCount) }
    if type == .html { return .html }
    if announced == nil, isCutShort { return .cutShort }
    guard expectation == .image else { return nil }
    guard type?.isImage == true else { return .notAnImage }
    // Stored as they are: nothing here reads their size.
    if type == .svg || type == .tiff { return nil }
    let allowed = 1...Self.longestSide
    guard let size, allowed.contains(size.width), allowed.contains(size.height) else { return .badSize }
    return nil
  }
}
