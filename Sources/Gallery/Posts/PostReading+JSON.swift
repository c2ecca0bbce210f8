import Blobs
import FoundationEssentials
import Posts
import Storage
import Web

extension PostReading {
  /// The post as JSON: all that its page shows. Times are seconds since 1970.
  ///
  /// - Parameter showsMarks: Whether marks are told.
  func json(showsMarks: Bool) -> JSONMembers {
    let repeats: [JSONMembers] = post.repeatedBy.map {
      ["handle": $0.handle, "at": $0.at.timeIntervalSince1970]
    }
    let edits = edits.map {
      JSONMembers(present: [
        "seenAt": $0.seenAt.timeIntervalSince1970, "title": $0.title?.pieces, "warning": $0.warning?.pieces,
        "caption": $0.caption?.pieces,
      ])
    }
    // The others may be posts that whoever looks must not know of.
    let elsewhere: [JSONMembers] =
      showsMarks ? post.elsewhere.map { ["post": $0.post, "address": $0.address] } : []
    return JSONMembers(present: [
      "id": post.id, "title": post.title,
      // What people call it.
      "heading": post.heading,
      "author": post.author.map {
        JSONMembers(present: [
          "handle": $0.handle, "name": $0.name, "avatar": $0.avatar?.hex, "url": $0.url?.webLink,
        ])
      },
      "at": post.createdAt.timeIntervalSince1970, "endsAt": post.endsAt?.timeIntervalSince1970,
      "editedAt": post.editedAt?.timeIntervalSince1970, "storedAt": post.storedAt.timeIntervalSince1970,
      "goneAt": post.goneAt?.timeIntervalSince1970, "isDeleted": post.isDeleted, "source": post.source.rawValue,
      // Its page at its server.
      "url": post.url?.webLink, "language": post.language, "visibility": post.visibility,
      // What people read of that; absent if everybody may see it.
      "seenBy": post.visibility?.explanation, "license": post.license?.rawValue,
      // Why it is hidden at first.
      "warning": post.shownWarning, "caption": caption.pieces, "tags": post.tagsBeside(caption), "feeds": feeds,
      "repeats": repeats,
      "quote": post.quote.map { JSONMembers(present: ["post": $0.post, "url": ($0.url ?? $0.uri).webLink]) },
      "elsewhere": elsewhere,
      "attachments": post.attachments.enumerated().map { file($1, number: $0 + 1) }, "edits": edits,
      "hasRawAnswer": hasRawAnswer, "marks": showsMarks ? post.marks.json : nil,
    ])
  }

  private func file(_ attachment: StoredAttachment, number: Int) -> JSONMembers {
    JSONMembers(present: [
      // Without a blob it is not stored.
      "kind": attachment.kind.rawValue, "blob": attachment.blob?.hex, "type": attachment.mediaType,
      "shownAs": ShownAs(attachment).rawValue, "bytes": attachment.byteCount, "width": attachment.width,
      "height": attachment.height, "blurhash": attachment.blurhash, "alt": attachment.alt,
      "state": attachment.state.rawValue, "failure": attachment.leftOut?.description ?? attachment.failure,
      "download": attachment.blob.map { DownloadName(of: attachment, number: number, in: post).address(of: $0.hex) },
      // The original on the web, and the name that the file had where it was attached.
      "url": attachment.url?.webLink, "name": attachment.name,
      // The text that a machine read in it, and where each line stands.
      "text": attachment.text,
    ])
  }
}

extension PostMarks {
  /// As JSON.
  var json: JSONMembers {
    JSONMembers(present: [
      "favourite": isFavourite, "rating": rating, "seenAt": seenAt?.timeIntervalSince1970, "note": note,
      "ownTags": ownTags, "albums": albums,
    ])
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
