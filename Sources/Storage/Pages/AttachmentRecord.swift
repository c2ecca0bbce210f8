import Posts
import Rows

/// An attachment's row, without its post and position.
struct AttachmentRecord: Equatable {
  static let columns = """
    kind, remote_id, url, alternate_url, preview_url, alt, width, height, blurhash, blob, state, attempts,
    next_try_at, failure, gone_at, name, skipped_by, limits
    """

  var id: Int64?
  var kind: String
  var remoteID: String?
  var url: String?
  var alternateURL: String?
  var previewURL: String?
  var alt: String?
  var width: Int?
  var height: Int?
  var blurhash: String?
  var blob: Int64?
  var state: String
  var attempts = 0
  var nextTryAt: String?
  var failure: String?
  var goneAt: String?
  var name: String?
  /// Which limit left it out, and the limits of the pull that last met it with any.
  var skippedBy: String?
  var limits: String?

  init(_ attachment: Attachment, state: String) {
    kind = attachment.kind.rawValue
    remoteID = attachment.remoteID?.storable
    url = attachment.url?.storable
    alternateURL = attachment.alternateURL?.storable
    previewURL = attachment.previewURL?.storable
    alt = attachment.alt?.storable
    width = attachment.width
    height = attachment.height
    blurhash = attachment.blurhash?.storable
    name = attachment.name?.storable
    self.state = state
    if state == "pending", !hasAddress { (self.state, failure) = ("gone", Self.hasNoAddress) }
  }

  /// A new file of a known post keeps to the limits of the others.
  mutating func inherit(from others: [AttachmentRecord]) {
    guard let other = others.first(where: { $0.limits != nil }), state == "pending" else { return }
    limits = other.limits
    if other.skippedBy == FileLimits.Limit.newest.rawValue { (state, skippedBy) = (other.state, other.skippedBy) }
  }

  /// Why a picture is gone that nothing can be fetched for.
  static let hasNoAddress = "its server gives no address of it"

  var hasAddress: Bool { url != nil || alternateURL != nil }

  /// Whether it has neither id nor URL, so that only its position identifies it.
  var isNameless: Bool { remoteID == nil && url == nil }

  /// The same as a file that an import brought and its post's server does not show. It has no name there.
  var unshown: AttachmentRecord {
    var record = self
    record.alternateURL = alternateURL ?? url
    (record.url, record.remoteID) = (nil, nil)
    return record
  }
}

extension AttachmentRecord: RowDecodable {
  init(_ row: some RowReading) throws {
    id = try row["id"]
    kind = try row["kind"]
    remoteID = try row["remote_id"]
    url = try row["url"]
    alternateURL = try row["alternate_url"]
    previewURL = try row["preview_url"]
    alt = try row["alt"]
    width = try row["width"]
    height = try row["height"]
    blurhash = try row["blurhash"]
    blob = try row["blob"]
    state = try row["state"]
    attempts = try row["attempts"]
    nextTryAt = try row["next_try_at"]
    failure = try row["failure"]
    goneAt = try row["gone_at"]
    name = try row["name"]
    skippedBy = try row["skipped_by"]
    limits = try row["limits"]
  }
}
