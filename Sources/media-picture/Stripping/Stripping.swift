import Blobs

/// Writes copies of files that do not say where they were taken. Pixels, frames and sound stay as they are.
///
/// A picture keeps what it is shown by, and the metadata of `KeptMetadata`, which are written anew. A list of what may hold a
/// place would never be complete: notes of makers, previews, bytes behind the end.
enum Stripping {
  private static var pictures: [MediaType: any PictureParts.Type] {
    [.jpeg: JPEGParts.self, .png: PNGParts.self, .webp: WebPParts.self]
  }
  private static let films: Set<MediaType> = [.mp4, .quickTime, .m4a]

  /// Writes a copy if the file holds anything that is left out.
  ///
  /// - Returns: Whether there is a copy.
  /// - Throws: A `Refusal` if the file cannot be cleaned. There is no copy then.
  static func strip(_ path: String, to output: String) throws(Refusal) -> Bool {
    let file = try PictureFile(
      path, accepting: PictureFile.drawable.union(OpenVideo.demuxers.keys), mostBytes: .max)
    if let parts = pictures[file.type] { return try strip(file, parts, to: output) }
    if films.contains(file.type) { return try strip(filmOf: file, to: output) }
    try checkOther(file, path)
    return false
  }

  /// A file of another type is left as it is, unless it may say where it was taken.
  private static func checkOther(_ file: borrowing PictureFile, _ path: String) throws(Refusal) {
    let mayHavePlace: Bool
    if FactsReader.described.contains(file.type) {
      mayHavePlace = try MappedFile.read(file, KeptMetadata.mayHavePlace)
    } else {
      mayHavePlace = try FactsReader.facts(of: path).latitude != nil
    }
    if mayHavePlace {
      throw Refusal("it may say where it was taken, and nothing here removes that from \(file.type.rawValue)")
    }
  }

  private static func strip(
    _ file: borrowing PictureFile, _ type: any PictureParts.Type, to output: String
  ) throws(Refusal) -> Bool {
    let isTurned = file.type == .jpeg || file.orientation != nil
    return try MappedFile.read(file) { bytes throws(Refusal) in
      let parts = try type.init(bytes)
      guard parts.leavesOut else { return false }
      let pieces = try parts.pieces(with: KeptMetadata(of: bytes, isTurned: isTurned))
      try NewFile.write(to: output) { descriptor throws(Refusal) in
        for piece in pieces {
          switch piece {
          case .source(let range): try NewFile.append(UnsafeRawBufferPointer(rebasing: bytes[range]), to: descriptor)
          case .new(let bytes): try NewFile.append(bytes, to: descriptor)
          }
        }
      } check: { () throws(Refusal) in
        let isClean = try MappedFile.read(PictureFile(output)) { bytes throws(Refusal) in
          let again = try type.init(bytes)
          guard again.hasOnlyOwnMetadata else { return false }
          return try KeptMetadata.hasNothingElse(bytes)
        }
        guard isClean else { throw notClean }
      }
      return true
    }
  }

  private static func strip(filmOf file: borrowing PictureFile, to output: String) throws(Refusal) -> Bool {
    let boxes = try FilmBoxes(of: file)
    guard boxes.leavesOut else { return false }
    let (source, type) = (file.descriptor, file.type)
    try NewFile.write(to: output) { descriptor throws(Refusal) in
      try NewFile.copy(source, to: descriptor, count: boxes.end)
      try boxes.blank(descriptor)
    } check: { () throws(Refusal) in
      let written = try PictureFile(output, accepting: [type], mostBytes: .max)
      let again = try FilmBoxes(of: written)
      guard !again.leavesOut, try FactsReader.facts(of: output).latitude == nil else { throw notClean }
    }
    return true
  }

  private static let notClean = Refusal("it cannot be cleaned")
}

/// A picture's file in parts: those that stay, and those that are left out.
protocol PictureParts {
  /// Reads the parts.
  ///
  /// - Parameter bytes: The file, which must stay as long as this value is used.
  init(_ bytes: UnsafeRawBufferPointer) throws(Refusal)

  /// Whether a copy would lack anything.
  var leavesOut: Bool { get }

  /// Whether all that would be left out has the form of metadata that `pieces` writes.
  var hasOnlyOwnMetadata: Bool { get }

  /// The file without what is left out, and with metadata.
  func pieces(with metadata: KeptMetadata) throws(Refusal) -> [Piece]
}

/// A piece of a new file.
enum Piece {
  /// Bytes of the source, by their offsets.
  case source(Range<Int>)
  /// Other bytes.
  case new([UInt8])
}
