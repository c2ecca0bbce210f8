import Blobs
import FoundationEssentials
import Posts
import Storage
import Web

/// A post as JSON: all that its page shows.
struct PostAnswer: Encodable, Sendable {
  let id: Int64
  let title: String?
  /// What people call it.
  let heading: String
  let author: Author?
  /// When it was written, in seconds since 1970.
  let at: Double
  let endsAt: Double?
  let editedAt: Double?
  let storedAt: Double
  let goneAt: Double?
  let isDeleted: Bool
  let source: String
  /// Its page at its server.
  let url: String?
  let language: String?
  /// Who may see it at its server.
  let visibility: Visibility?
  /// What people read of that; nil if everybody may see it.
  let seenBy: String?
  /// The address or the words of its licence.
  let license: String?
  /// Why it is hidden at first; nil if it is not.
  let warning: String?
  let caption: [LinkedText.Piece]
  let tags: [String]
  let feeds: [String]
  let repeats: [Repeat]
  let quote: Quote?
  /// The same post of other networks; none where marks are not told.
  let elsewhere: [Elsewhere]
  let attachments: [File]
  let edits: [Edit]
  let hasRawAnswer: Bool
  /// What the person has made of it; nil where marks are not told.
  let marks: Marks?

  struct Author: Encodable, Sendable {
    let handle: String
    let name: String
    let avatar: String?
    let url: String?
  }

  struct Repeat: Encodable, Sendable {
    let handle: String
    let at: Double
  }

  struct Quote: Encodable, Sendable {
    let post: Int64?
    let url: String?
  }

  struct Elsewhere: Encodable, Sendable {
    let post: Int64
    let address: String
  }

  struct File: Encodable, Sendable {
    let kind: String
    /// The name of its blob; nil if it is not stored.
    let blob: String?
    let type: String?
    /// How the original is shown: `picture`, `video`, `audio`, or `file` if it is only downloaded.
    let shownAs: String
    let bytes: Int?
    let width: Int?
    let height: Int?
    let blurhash: String?
    let alt: String?
    let state: String
    let failure: String?
    /// The address of its download.
    let download: String?
    /// The original on the web.
    let url: String?
    /// The name that the file had where it was attached.
    let name: String?
    /// The text that a machine read in it, and where each line stands.
    let text: PictureText?
  }

  struct Edit: Encodable, Sendable {
    let seenAt: Double
    let title: [WordDiff.Piece]?
    let warning: [WordDiff.Piece]?
    let caption: [WordDiff.Piece]?
  }

  /// The marks of a post.
  struct Marks: Encodable, Sendable {
    let favourite: Bool
    let rating: Int
    let seenAt: Double?
    let note: String?
    let ownTags: [String]
    let albums: [String]

    init(_ marks: PostMarks) {
      (favourite, rating, note) = (marks.isFavourite, marks.rating, marks.note)
      (seenAt, ownTags, albums) = (marks.seenAt?.timeIntervalSince1970, marks.ownTags, marks.albums)
    }
  }

  init(_ reading: PostReading, showsMarks: Bool) {
    let post = reading.post
    (id, title, heading, source) = (post.id, post.title, post.heading, post.source.rawValue)
    author = post.author.map {
      Author(handle: $0.handle, name: $0.name, avatar: $0.avatar?.hex, url: $0.url?.webLink)
    }
    (at, storedAt) = (post.createdAt.timeIntervalSince1970, post.storedAt.timeIntervalSince1970)
    endsAt = post.endsAt?.timeIntervalSince1970
    editedAt = post.editedAt?.timeIntervalSince1970
    (goneAt, isDeleted) = (post.goneAt?.timeIntervalSince1970, post.isDeleted)
    (visibility, seenBy) = (post.visibility, post.visibility?.explanation)
    license = post.license?.rawValue
    (url, language, warning) = (post.url?.webLink, post.language, post.shownWarning)
    (caption, tags, feeds) = (reading.caption.pieces, post.tagsBeside(reading.caption), reading.feeds)
    repeats = post.repeatedBy.map { Repeat(handle: $0.handle, at: $0.at.timeIntervalSince1970) }
    quote = post.quote.map { Quote(post: $0.post, url: ($0.url ?? $0.uri).webLink) }
    // The others may be posts that whoever looks must not know of.
    elsewhere = showsMarks ? post.elsewhere.map { Elsewhere(post: $0.post, address: $0.address) } : []
    attachments = post.attachments.enumerated().map { File($1, number: $0 + 1, in: post) }
    edits = reading.edits.map {
      Edit(
        seenAt: $0.seenAt.timeIntervalSince1970, title: $0.title?.pieces, warning: $0.warning?.pieces,
        caption: $0.caption?.pieces)
    }
    hasRawAnswer = reading.hasRawAnswer
    marks = showsMarks ? Marks(post.marks) : nil
  }
}

extension PostAnswer.File {
  init(_ attachment: StoredAttachment, number: Int, in post: StoredPost) {
    (kind, blob, type) = (attachment.kind.rawValue, attachment.blob?.hex, attachment.mediaType)
    shownAs = ShownAs(attachment).rawValue
    (bytes, width, height) = (attachment.byteCount, attachment.width, attachment.height)
    (blurhash, alt, state, failure) = (
      attachment.blurhash, attachment.alt, attachment.state.rawValue,
      attachment.leftOut?.description ?? attachment.failure
    )
    download = attachment.blob.map { DownloadName(of: attachment, number: number, in: post).address(of: $0.hex) }
    (url, name, text) = (attachment.url?.webLink, attachment.name, attachment.text)
  }
}

/// How an attachment is shown. The type of its bytes decides, whatever its source calls it.
enum ShownAs: String {
  /// A picture that browsers draw.
  case picture
  /// A picture that only its derivatives show.
  case derivative
  case video, audio
  /// A file to download.
  case file
  /// Nothing is stored.
  case missing

  init(_ attachment: StoredAttachment) {
    guard attachment.blob != nil else {
      self = .missing
      return
    }
    let served = ServedType(mediaType: attachment.mediaType)
    switch served.type {
    case .mp4, .quickTime, .webm, .matroska: self = .video
    case .mp3, .m4a, .ogg, .wav, .flac: self = .audio
    case .heic, .jpegXL, .jpeg2000, .tiff: self = .derivative
    default: self = served.isDrawnByBrowsers ? .picture : .file
    }
  }
}
