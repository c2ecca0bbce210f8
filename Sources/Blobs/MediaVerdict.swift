/// Why bytes are not what was asked for.
public enum MediaFault: Error, Hashable, Sendable {
  /// There are none.
  case empty
  /// A page, in place of the file.
  case html
  /// Fewer or more than the server announced.
  case wrongLength(announced: Int, came: Int)
  /// The end is missing.
  case cutShort
  /// No picture, where a picture was to come.
  case notAnImage
  /// A picture without a size, or with a side of more than 65,535 pixels.
  case badSize
}

extension MediaHeader {
  /// What the bytes are to be.
  public enum Expectation: Sendable { case image, anything }

  /// The longest side a picture may have, in pixels.
  public static let longestSide = 65_535

  /// Why these bytes may not be kept; nil when they may.
  ///
  /// `announced` is the length the server told before; without it, the end is looked for in the bytes.
  public func fault(expecting expectation: Expectation, announced: Int?) -> MediaFault? {
    if byteCount == 0 { return .empty }
    if let announced, announced != byteCount { return .wrongLength(announced: announced, came: byteCount) }
    if type == .html { return .html }
    if announced == nil, isCutShort { return .cutShort }
    guard expectation == .image else { return nil }
    guard type?.isImage == true else { return .notAnImage }
    // Kept as they are: nothing here reads their size.
    if type == .svg || type == .tiff { return nil }
    let allowed = 1...Self.longestSide
    guard let size, allowed.contains(size.width), allowed.contains(size.height) else { return .badSize }
    return nil
  }
}
