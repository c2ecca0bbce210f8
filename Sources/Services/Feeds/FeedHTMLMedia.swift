import Markup
import Posts

/// The pictures, videos and sounds in an item's text (https://html.spec.whatwg.org/multipage/embedded-content.html).
struct FeedHTMLMedia {
  /// One entry for each, in the order of the text.
  private(set) var all: [FeedMedia] = []
  /// A video or sound whose address stands in an element within it.
  private var unaddressed: FeedMedia?
  private let base: String

  /// Reads the text, whose relative addresses are resolved against `base`.
  init(_ html: String, base: String) {
    self.base = base
    let tags = StartTags.find(
      ["img", "video", "audio", "source"], in: Array(html.utf8), most: 4 * Bounds.attachments)
    for tag in tags {
      switch tag.name {
      case "img": add(picture(tag))
      case "source": addSource(tag)
      default: addRecording(tag)
      }
    }
  }

  private mutating func add(_ media: FeedMedia?) { if let media { all.append(media) } }

  private func resolve(_ address: String?) -> String? {
    if let address, InlinePicture.isAddress(address) { return address }
    return FeedAddress.resolve(address, against: base)
  }

  // MARK: Videos and sounds

  private mutating func addRecording(_ tag: StartTag) {
    var media = FeedMedia(kind: tag.name == "video" ? .video : .audio, url: "", preview: resolve(tag["poster"]))
    unaddressed = nil
    if let url = resolve(tag["src"]) {
      media.url = url
      all.append(media)
    } else {
      unaddressed = media
    }
  }

  /// The first of several sources: they are alternatives. Those of a picture have a `srcset` in place of an address.
  private mutating func addSource(_ tag: StartTag) {
    guard var media = unaddressed, let url = resolve(tag["src"]) else { return }
    media.url = url
    all.append(media)
    unaddressed = nil
  }

  // MARK: Pictures

  /// The attributes that scripts exchange for `src`, which meanwhile holds a placeholder.
  private static let deferred = ["data-src", "data-original", "data-lazy-src"]
  private static let deferredSets = ["data-srcset", "data-lazy-srcset"]

  /// The original as WordPress names it, else the largest of the sizes, else the one address. The one address stands in
  /// for the others, unless it may be a placeholder. Invisible pictures (tracking pixels) and those that stand for a
  /// character are left out.
  private func picture(_ tag: StartTag) -> FeedMedia? {
    let width = tag["width"], height = tag["height"]
    let isSmall = [width, height].contains { $0.map { ["0", "1", "0px", "1px"].contains($0) } ?? false }
    let classes = tag["class"]?.lowercased() ?? ""
    guard !isSmall, !classes.contains("emoji"), !classes.contains("smiley") else { return nil }
    let isDeferred = (Self.deferred + Self.deferredSets).contains { tag[$0] != nil }
    let shown = (isDeferred ? Self.deferred : ["src"]).lazy.compactMap { resolve(tag[$0]) }.first
    let larger =
      resolve(tag["data-orig-file"])
      ?? (Self.deferredSets + ["srcset"]).lazy.compactMap { largest(tag[$0]) }.first
    guard let url = larger ?? shown ?? resolve(tag["src"]) else { return nil }
    return FeedMedia(
      kind: .image, url: url, alternate: shown == url ? nil : shown, alt: tag["alt"], width: FeedMedia.number(width),
      height: FeedMedia.number(height))
  }

  /// The address of the largest picture of a `srcset`: `small.jpg 300w, large.jpg 1200w`, or `2x` for `1200w`.
  /// Addresses may contain commas.
  private func largest(_ set: String?) -> String? {
    var rest = (set ?? "")[...]
    var best: (address: Substring, size: Double)?
    while true {
      rest = rest.drop { $0.isWhitespace || $0 == "," }
      if rest.isEmpty { break }
      var address = rest.prefix { !$0.isWhitespace }
      rest = rest.dropFirst(address.count)
      var size = 1.0
      if address.last == ",", !InlinePicture.isAddress(String(address)) {
        while address.last == "," { address.removeLast() }
      } else {
        let word = rest.prefix { $0 != "," }
        rest = rest.dropFirst(word.count)
        size = Double(word.trimmed.dropLast()) ?? 1
      }
      if best.map({ $0.size < size }) ?? true { best = (address, size) }
    }
    return resolve(best.map { String($0.address) })
  }
}
