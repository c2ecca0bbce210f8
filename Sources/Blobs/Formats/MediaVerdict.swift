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
  /// A JPEG, PNG, GIF or WebP without a size, or a picture with a side of more than 65,535 pixels.
  case badSize
}

extension MediaHeader {
  /// The expected kind of media.
  public enum Expectation: Sendable { case image, anything }

  /// The maximum side of a picture, in pixels.
  public static let longestSide = 65_535

  /// The types whose every file has a size that is read.
  private static let alwaysMeasured: Set<MediaType> = [.jpeg, .png, .gif, .webp]
  private static let measured = alwaysMeasured.union([.avif, .heic])

  /// Returns why these bytes must not be stored, or nil if they may be.
  ///
  /// The bytes have to show their end even if as many came as were announced: a server, too, may have only the beginning
  /// of a file.
  ///
  /// - Parameter announced: the length that the server announced; nil if it announced none.
  public func fault(expecting expectation: Expectation, announced: Int?) -> MediaFault? {
    if byteCount == 0 { return .empty }
    if let announced, announced != byteCount { return .wrongLength(announced: announced, received: byteCount) }
    if type == .html { return .html }
    // Recorders often state a wrong length in a WAV.
    if isCutShort, announced == nil || type != .wav { return .cutShort }
    guard expectation == .image else { return nil }
    guard let type, type.isImage else { return .notAnImage }
    // Stored as they are: nothing here reads their size, or not all of their forms.
    guard Self.measured.contains(type) else { return nil }
    guard let size else { return Self.alwaysMeasured.contains(type) ? .badSize : nil }
    let allowed = 1...Self.longestSide
    return allowed.contains(size.width) && allowed.contains(size.height) ? nil : .badSize
  }
}
