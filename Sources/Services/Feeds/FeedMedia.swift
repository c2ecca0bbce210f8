import Posts

/// A picture or file of an item, as the feed describes it.
struct FeedMedia: Equatable {
  var kind: Attachment.Kind
  var url: String
  /// The next smaller size, if the page shows several.
  var alternate: String?
  var preview: String?
  var alt: String?
  var width: Int?
  var height: Int?
  var bytes: Int?

  /// Its size among its alternatives: by area, then by bytes.
  var size: (area: Int, bytes: Int) { ((width ?? 0) * (height ?? 0), bytes ?? 0) }

  /// The attachment in the form that all sources share.
  var attachment: Attachment {
    Attachment(
      kind: kind, url: url, alternateURL: alternate, previewURL: preview, alt: Bounds.block(alt), width: width,
      height: height, byteCount: bytes)
  }

  /// Identifies a picture across its sizes, and gives the pixels of the longer side, if the name contains them: WordPress names
  /// sizes `bird-300x200.jpg`, Flickr `17_secret_m.jpg`, others in the query.
  var name: (key: String, longest: Int) { Self.name(of: url) }

  private static func longest(of url: String) -> Int { name(of: url).longest }

  private static func name(of url: String) -> (key: String, longest: Int) {
    let key = WebIdentity.key(of: url)
    let path = key.prefix { $0 != "?" && $0 != "#" }
    guard let dot = path.lastIndex(of: "."),
      Attachment.Kind.endings[path[path.index(after: dot)...].lowercased()] != nil
    else {
      return (key, .max)
    }
    let stem = path[..<dot]
    if let flickr = flickr(stem) { return flickr }
    guard let dash = stem.lastIndex(of: "-") else { return (String(path), .max) }
    let size = stem[stem.index(after: dash)...].split(separator: "x", omittingEmptySubsequences: false)
    let isSize = size.count == 2 && size.allSatisfy { (1...5).contains($0.count) && $0.allSatisfy(\.isNumber) }
    guard isSize else { return (String(path), .max) }
    return (String(stem[..<dash] + path[dot...]), size.compactMap { Int($0) }.max() ?? .max)
  }

  /// The number of a photo at Flickr, and its size (https://www.flickr.com/services/api/misc.urls.html). The original
  /// has another secret.
  private static func flickr(_ stem: Substring) -> (key: String, longest: Int)? {
    let host = stem.prefix { $0 != "/" }.lowercased()
    guard ["staticflickr.com", "static.flickr.com"].contains(where: { host == $0 || host.hasSuffix(".\($0)") }) else {
      return nil
    }
    let parts = stem.split(separator: "/").last?.split(separator: "_", omittingEmptySubsequences: false) ?? []
    guard (2...3).contains(parts.count), parts[0].allSatisfy({ $0.isASCII && $0.isNumber }), !parts[0].isEmpty,
      let longest = parts.count == 2 ? 500 : flickrSizes[String(parts[2])]
    else { return nil }
    return ("flickr.com/\(parts[0])", longest)
  }

  private static let flickrSizes = [
    "s": 75, "t": 100, "q": 150, "m": 240, "n": 320, "w": 400, "z": 640, "c": 800, "b": 1024, "h": 1600, "k": 2048,
    "3k": 3072, "4k": 4096, "f": 4096, "5k": 5120, "6k": 6144, "o": Int.max,
  ]

  /// Merges two sizes of one picture. The larger one by name, else the first, is kept with the description of either.
  /// The smaller one is the fallback.
  func joined(with other: FeedMedia) -> FeedMedia {
    let isLarger = other.name.longest > name.longest
    var joined = isLarger ? other : self
    let rest = isLarger ? self : other
    let others = [joined.alternate, rest.url, rest.alternate].compactMap(\.self).filter { $0 != joined.url }
    joined.alternate = others.max { Self.longest(of: $0) < Self.longest(of: $1) }
    joined.alt = joined.alt ?? rest.alt
    joined.preview = joined.preview ?? rest.preview
    return joined
  }

  /// A number of pixels or bytes as attributes write it: `640`, `640px`.
  static func number(_ text: String?, most: Int = 1_000_000) -> Int? {
    guard let digits = text?.trimmed.prefix(while: { $0.isASCII && $0.isNumber }), let number = Int(digits) else {
      return nil
    }
    return (1...most).contains(number) ? number : nil
  }
}
