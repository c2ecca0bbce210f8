import Posts
import Rows

/// An attachment's row, without its post and position.
struct AttachmentRecord: Equatable {
  static let columns = """
    kind, remote_id, url, alternate_url, preview_url, alt, width, height, blurhash, blob, state, attempts,
    next_try_at, failure, gone_at, name
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
  }
}

extension AttachmentRecord {
  /// Whether it has neither id nor URL, so that only its position identifies it.
  fileprivate var isNameless: Bool { remoteID == nil && url == nil }
}

/// Matches incoming attachments to stored ones. Each stored one matches once.
struct AttachmentMatch {
  private let stored: [AttachmentRecord]
  private var isMatched: [Bool]
  /// Whether the attachments come from another server than the stored ones, and are as many. Then neither ids nor URLs can
  /// agree, and the position decides.
  private let otherServer: Bool

  init(stored: [AttachmentRecord], otherServer: Bool) {
    self.stored = stored
    self.otherServer = otherServer
    isMatched = Array(repeating: false, count: stored.count)
  }

  /// The incoming attachment, with the number, bytes and state of the matching stored one.
  mutating func merged(_ attachment: Attachment, at position: Int, state: String) -> AttachmentRecord {
    var wanted = AttachmentRecord(attachment, state: state)
    guard let index = match(wanted, at: position) else { return wanted }
    isMatched[index] = true
    let known = stored[index]
    if wanted.kind == Self.unnamed { wanted.kind = known.kind }
    wanted.id = known.id
    wanted.blob = known.blob
    wanted.url = wanted.url ?? known.url
    wanted.name = wanted.name ?? known.name
    wanted.alternateURL = wanted.alternateURL ?? (otherServer ? known.url : known.alternateURL)
    // A link that failed may have expired. A new link deserves a new try.
    let isFreshLink = wanted.url != known.url && known.state != "stored" && known.state != "skipped"
    if !isFreshLink {
      (wanted.state, wanted.attempts, wanted.nextTryAt) = (known.state, known.attempts, known.nextTryAt)
      (wanted.failure, wanted.goneAt) = (known.failure, known.goneAt)
    }
    return wanted
  }

  /// The kind of a file that a server does not specify. It matches every kind.
  private static let unnamed = Attachment.Kind.file.rawValue

  private func match(_ incoming: AttachmentRecord, at position: Int) -> Int? {
    var wanted = incoming
    if stored.indices.contains(position), wanted.kind == Self.unnamed || stored[position].kind == Self.unnamed {
      wanted.kind = stored[position].kind
    }
    let positions = (stored.indices.contains(position) ? [position] : []) + stored.indices.filter { $0 != position }
    return positions.first { !isMatched[$0] && isSame(stored[$0], wanted, samePosition: $0 == position) }
  }

  /// Whether two kinds may mean one file. Some sources call a silent video a video.
  private func isSameKind(_ known: AttachmentRecord, _ wanted: AttachmentRecord) -> Bool {
    let films = [Attachment.Kind.video.rawValue, Attachment.Kind.gifv.rawValue]
    return known.kind == wanted.kind || films.contains(known.kind) && films.contains(wanted.kind)
  }

  private func isSame(_ known: AttachmentRecord, _ wanted: AttachmentRecord, samePosition: Bool) -> Bool {
    if otherServer {
      let looksOther = wanted.blurhash != nil && known.blurhash != nil && wanted.blurhash != known.blurhash
      return samePosition && isSameKind(known, wanted) && !looksOther
    }
    // An import may bring a file whose address nobody kept.
    if known.isNameless { return samePosition && isSameKind(known, wanted) }
    if let id = wanted.remoteID, id == known.remoteID { return true }
    return wanted.url != nil && known.url != nil && WebAddress.sameFile(known.url, wanted.url)
  }
}
