import FoundationEssentials
import JSONReading
import Posts

// The API's answers, https://www.flickr.com/services/api. Every field is optional.

/// A photo or video, as lists and `photos.getInfo` write it. Numbers may be texts, and texts may be in an object:
/// `{"_content": …}`.
struct FlickrPhoto {
  var id, title, description: String?
  var owner: FlickrOwner
  var postedAt: Date?
  var visibility: Visibility?
  var license: License?
  var isSensitive, isVideo: Bool
  var tags: [String]
  /// The largest file that a list shows of it; nil where there is none.
  var file: FlickrFile?

  init(_ fields: JSONObject) {
    id = fields.text("id").flatMap { Self.isNumber($0) ? $0 : nil }
    title = Self.content(fields.value("title"))
    description = Self.content(fields.value("description"))
    owner = FlickrOwner(fields)
    postedAt = fields.moment("dateupload") ?? fields.object("dates")?.moment("posted") ?? fields.moment("dateuploaded")
    visibility = Self.visibility(of: fields)
    license = fields.text("license").flatMap { Self.licenses[$0] }
    isSensitive = Self.isAbove(0, fields.text("safety_level")) || Self.isAbove(0, fields.text("needs_interstitial"))
    isVideo = fields.string("media") == "video"
    let listed = [fields.string("tags"), fields.string("machine_tags")].compactMap(\.self).joined(separator: " ")
    tags =
      fields.object("tags")?.objects("tag", most: Bounds.tags).compactMap { $0.string("_content") }
      ?? listed.split(separator: " ").prefix(Bounds.tags).map(String.init)
    file = FlickrFile(listed: fields, isVideo: isVideo)
  }

  /// The numbers of licences (https://www.flickr.com/services/api/flickr.photos.licenses.getInfo.html).
  private static let licenses: [String: License] = {
    let deeds =
      [(1, "by-nc-sa"), (2, "by-nc"), (3, "by-nc-nd"), (4, "by"), (5, "by-sa"), (6, "by-nd")].map { ($0, $1, "2.0") }
      + [(11, "by"), (12, "by-sa"), (13, "by-nd"), (14, "by-nc"), (15, "by-nc-sa"), (16, "by-nc-nd")].map {
        ($0, $1, "4.0")
      }
    let named = deeds.map { ("\($0)", "https://creativecommons.org/licenses/\($1)/\($2)/") }
    let others = [
      ("0", "All rights reserved"), ("7", "https://www.flickr.com/commons/usage/"),
      ("8", "United States Government work"),
      ("9", "https://creativecommons.org/publicdomain/zero/1.0/"),
      ("10", "https://creativecommons.org/publicdomain/mark/1.0/"),
    ]
    return Dictionary(uniqueKeysWithValues: (named + others).map { ($0, License(rawValue: $1)) })
  }()

  private static func content(_ value: JSONValue?) -> String? { value?.string ?? value?.object?.string("_content") }

  private static func isAbove(_ least: Int, _ number: String?) -> Bool {
    number.flatMap(Int.init).map { $0 > least } ?? false
  }

  /// Who may see a photo: everybody, the friends or the family of its owner, or its owner.
  static func visibility(of fields: JSONObject) -> Visibility? {
    let said = fields.object("visibility") ?? fields
    guard let isPublic = said.text("ispublic") else { return nil }
    if isPublic == "1" { return .public }
    return said.text("isfriend") == "1" || said.text("isfamily") == "1" ? .followers : .direct
  }

  /// Whether a text is a number, as the ids of photos are.
  static func isNumber(_ text: some StringProtocol) -> Bool {
    (1...20).contains(text.utf8.count) && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
  }

  /// The id of an account, such as `12037949754@N01`; nil for another text.
  static func account(_ text: String?) -> String? {
    guard let parts = text?.split(separator: "@", omittingEmptySubsequences: false), parts.count == 2 else {
      return nil
    }
    return isNumber(parts[0]) && parts[1].first == "N" && isNumber(parts[1].dropFirst()) ? text : nil
  }
}

/// The account that a photo belongs to.
struct FlickrOwner {
  /// Its id, which does not change.
  var id: String?
  /// The name in its addresses; nil if it has chosen none.
  var alias: String?
  var name, iconServer, iconFarm: String?

  init(_ fields: JSONObject) {
    let person = fields.object("owner")
    id = FlickrPhoto.account(person?.string("nsid") ?? fields.string("owner"))
    alias = person?.string("path_alias") ?? fields.string("pathalias")
    name = person?.string("username") ?? fields.string("ownername")
    iconServer = (person ?? fields).text("iconserver")
    iconFarm = (person ?? fields).text("iconfarm")
  }
}

/// A file of a photo or video, the largest that is shown.
struct FlickrFile {
  var kind: Attachment.Kind
  var url, previewURL: String?
  var width, height: Double?

  /// The sizes in which lists give addresses, the largest first: `o` is the original. Free accounts end at `l`, 1,024 pixels.
  static let sizes = ["o", "6k", "5k", "4k", "3k", "k", "h", "l", "c", "z", "m"]
  private static let names: [(url: StaticString, width: StaticString, height: StaticString)] = [
    ("url_o", "width_o", "height_o"), ("url_6k", "width_6k", "height_6k"), ("url_5k", "width_5k", "height_5k"),
    ("url_4k", "width_4k", "height_4k"), ("url_3k", "width_3k", "height_3k"), ("url_k", "width_k", "height_k"),
    ("url_h", "width_h", "height_h"), ("url_l", "width_l", "height_l"), ("url_c", "width_c", "height_c"),
    ("url_z", "width_z", "height_z"), ("url_m", "width_m", "height_m"),
  ]

  init(kind: Attachment.Kind, url: String?, width: Double?, height: Double?) {
    (self.kind, self.url, self.width, self.height) = (kind, url, width, height)
  }

  /// What a list shows: the files of a photo, and of a video its pictures alone.
  init?(listed fields: JSONObject, isVideo: Bool) {
    kind = isVideo ? .video : .image
    previewURL = fields.string("url_z") ?? fields.string("url_m")
    if isVideo { return }
    let shown = Self.names.lazy.compactMap { names in
      Bounds.webAddress(fields.string(names.url)).map { (url: $0, names: names) }
    }
    guard let largest = shown.first else { return nil }
    url = largest.url
    (width, height) = (Self.number(fields.text(largest.names.width)), Self.number(fields.text(largest.names.height)))
  }

  /// The original of the sizes of `photos.getSizes`, or else the largest.
  init?(of sizes: [JSONObject], isVideo: Bool) {
    kind = isVideo ? .video : .image
    let pictures = sizes.filter { $0.string("media") != "video" }
    let preview =
      pictures.first { $0.string("label") == "Medium 640" } ?? pictures.first { $0.string("label") == "Medium" }
    previewURL = preview?.string("source")
    // A player is a page of a program that browsers no longer have.
    let files =
      isVideo ? sizes.filter { $0.string("media") == "video" && $0.string("label") != "Video Player" } : pictures
    let usable = files.compactMap { size in
      Bounds.webAddress(size.string("source")).map {
        Size(
          url: $0, isOriginal: size.string("label")?.contains("Original") == true,
          width: Self.number(size.text("width")), height: Self.number(size.text("height")))
      }
    }
    guard let largest = usable.first(where: \.isOriginal) ?? usable.max(by: { $0.area < $1.area }) else { return nil }
    (url, width, height) = (largest.url, largest.width, largest.height)
  }

  private struct Size {
    let url: String
    let isOriginal: Bool
    let width, height: Double?
    var area: Double { (width ?? 0) * (height ?? 0) }
  }

  private static func number(_ text: String?) -> Double? { text.flatMap(Double.init) }

  /// The file in the form that all sources share.
  var attachment: Attachment {
    let preview = Bounds.webAddress(previewURL)
    return Attachment(
      kind: kind, url: url, previewURL: preview == url ? nil : preview, width: Bounds.pixels(width),
      height: Bounds.pixels(height))
  }
}
