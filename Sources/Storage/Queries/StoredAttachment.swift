import Blobs
import FoundationEssentials
import Posts
import Rows

/// The state of a picture.
public enum PictureState: String, Sendable, CaseIterable {
  /// Its bytes are stored.
  case stored
  /// Not tried yet.
  case pending
  /// The last attempt failed; it will be tried again.
  case failed
  /// The server no longer has it.
  case gone
  /// The pull that brought it did not want it.
  case skipped
}

/// An attachment of a stored post.
public struct StoredAttachment: Sendable, Equatable, Identifiable {
  /// Its number in this library.
  public let id: Int64
  /// Its kind, as its source says.
  public let kind: Attachment.Kind
  /// The original on the web.
  public let url: String?
  /// A smaller version on the web.
  public let previewURL: String?
  /// The alt text.
  public let alt: String?
  /// The width in pixels: of the stored picture, else as the source says.
  public let width: Int?
  /// The height in pixels: of the stored picture, else as the source says.
  public let height: Int?
  /// The BlurHash: https://blurha.sh
  public let blurhash: String?
  /// The stored bytes.
  public let blob: BlobID?
  /// Their length in bytes.
  public let byteCount: Int?
  /// Their media type.
  public let mediaType: String?
  /// Its state.
  public let state: PictureState
  /// Why the last attempt failed.
  public let failure: String?
  /// When it is tried next: later than now after a failure, or if its host accepts no requests before.
  public let nextTryAt: Date?
  /// The name that the file had where it was attached. It may hold any character but control characters.
  public let name: String?
  /// Which limit left it out; nil if none did.
  public let leftOut: LeftOut?
  /// What the stored file says of itself; nil if it says nothing, or was not inspected.
  public package(set) var facts: FileFacts?
  /// The text that a program read in the stored picture; nil if there is none, or it was not read.
  public package(set) var text: PictureText?
  /// What a model found in it, without an embedding and without tags of which the person said that they are wrong; nil if no
  /// model looked at it, or found anything.
  public package(set) var findings: ModelFindings?

  /// Why it is skipped, in words; nil if it is not, or if its pull wanted no pictures at all.
  public var skippedFor: String? { state == .skipped ? leftOut?.description ?? failure : nil }

  package init(
    id: Int64, kind: Attachment.Kind, url: String?, previewURL: String?, alt: String?, width: Int?, height: Int?,
    blurhash: String?, blob: BlobID?, byteCount: Int?, mediaType: String?, state: PictureState, failure: String?,
    nextTryAt: Date?, name: String?, leftOut: LeftOut? = nil
  ) {
    (self.id, self.kind, self.url) = (id, kind, url)
    (self.previewURL, self.alt, self.width) = (previewURL, alt, width)
    (self.height, self.blurhash, self.blob) = (height, blurhash, blob)
    (self.byteCount, self.mediaType, self.state) = (byteCount, mediaType, state)
    (self.failure, self.nextTryAt, self.name, self.leftOut) = (failure, nextTryAt, name, leftOut)
  }
}

extension StoredAttachment: RowDecodable {
  package init(_ row: some RowReading) throws {
    id = try row["id"]
    kind = Attachment.Kind(rawValue: try row["kind"]) ?? .file
    url = try row["url"]
    previewURL = try row["preview_url"]
    alt = try row["alt"]
    width = try row["width"]
    height = try row["height"]
    blurhash = try row["blurhash"]
    blob = try (row["sha256"] as String?).flatMap(BlobID.init)
    byteCount = try row["bytes"]
    mediaType = try row["media_type"]
    state = PictureState(rawValue: try row["state"]) ?? .pending
    failure = try row["failure"]
    nextTryAt = try row.date("next_try_at")
    name = try row["name"]
    leftOut = state == .skipped ? LeftOut(stored: try row["skipped_by"], limits: try row["limits"]) : nil
    facts = try (row["described"] as Int64?).map { _ in try FileFacts(row) }
    text = try PictureText(row)
  }
}
