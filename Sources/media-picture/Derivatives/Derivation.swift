import Blobs
import CChafa
import Pictures

/// Makes derivatives of a file: WebP pictures of limited sizes. The file is decoded once, for the largest of them, and each
/// smaller one is made of the next larger.
struct Derivation {
  private let edges: [Int]

  /// The types of which frames are decoded.
  static let videos: Set<MediaType> = [.mp4, .quickTime, .webm, .matroska]

  /// - Parameter edges: The longer side of each derivative in pixels.
  init(edges: [Int]) { self.edges = Set(edges).sorted(by: >) }

  /// The derivatives, largest first.
  func derivatives(of path: String) throws(Refusal) -> [(edge: Int, bytes: [UInt8])] {
    // A video may have any length: only parts of it are read.
    let file = try PictureFile(path, accepting: PictureFile.drawable.union(Self.videos), mostBytes: .max)
    let encoder = try WebPEncoder.loaded()
    var pixels = try pixels(file)
    let profile = pixels.profile.flatMap { ColourProfile(base64: $0) }
    var derivatives: [(edge: Int, bytes: [UInt8])] = []
    for edge in edges {
      pixels = try pixels.reduced(to: edge)
      let bytes = try encoder.encode(pixels, profile)
      guard bytes.count <= DerivativeProtocol.mostBytes else { throw Refusal("it is too large") }
      derivatives.append((edge, bytes))
    }
    return derivatives
  }

  private func pixels(_ file: borrowing PictureFile) throws(Refusal) -> Pixels {
    let largest = edges.first ?? 0
    if Self.videos.contains(file.type) { return try VideoPoster.pixels(file, edge: largest) }
    return try Decoding { Reduction.size($0, $1, to: largest) }.pixels(file)
  }
}

/// How a picture is made smaller.
enum Reduction {
  /// The size of a picture whose longer side is at most `edge`. It is never larger than the picture.
  static func size(_ width: Int, _ height: Int, to edge: Int) -> (width: Int, height: Int) {
    let longest = max(width, height)
    guard longest > edge else { return (width, height) }
    func reduced(_ side: Int) -> Int { max(1, (2 * side * edge + longest) / (2 * longest)) }
    return (reduced(width), reduced(height))
  }
}

extension Pixels {
  /// The picture with a longer side of at most `edge`; itself if it is as small.
  func reduced(to edge: Int) throws(Refusal) -> Pixels {
    let size = Reduction.size(width, height, to: edge)
    if size == (width, height) { return self }
    guard let reduced = gdk_pixbuf_scale_simple(pointer, Int32(size.width), Int32(size.height), PICTURE_BILINEAR.signed)
    else { throw Refusal("memory is short") }
    return Pixels(reduced)
  }
}
