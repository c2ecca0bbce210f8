import Blobs
import FoundationEssentials
import Machine
import Storage
import Web

/// A post as `media list --json` prints it: `shape` says which keys are always present. A line beside a file has two more: the
/// post's identity, and which of its files that is.
struct PostLine: Encodable {
  private let post: StoredPost
  /// The index of the file beside which the line stands; nil in a list.
  private let file: Int?
  private let boxes: Bool
  private let facts: [PostFact]
  /// How alike it is to what was asked for; nil in other lists.
  private let score: Double?
  /// Whether it tells what is for the owner alone.
  private let isOwners: Bool

  /// A post, with what the person made of it or without.
  ///
  /// - Parameters:
  ///   - score: How alike it is to what was asked for.
  ///   - boxes: Whether it tells where in a picture each line of its text stands.
  init(_ post: StoredPost, file: Int? = nil, marks: Bool = true, score: Double? = nil, boxes: Bool = false) {
    (self.post, self.file, self.score, self.boxes, isOwners) = (post, file, score, boxes, marks)
    facts = marks ? Self.facts + Self.marks : Self.facts
  }

  private static let facts = PostFact.facts(in: .json)
  private static let marks = PostFact.facts(in: .marks)

  /// The shape of a line, for the manual, a pair an element.
  static let shape =
    (facts + marks).map { "\"\($0.name)\":\($0.shape)" } + [
      "\"author\":{\"handle\":TEXT,\"name\":TEXT,\"avatar\":PATH?}?",
      "\"attachments\":[{\"kind\":TEXT,\"url\":TEXT?,\"alt\":TEXT?,\"width\":N?,\"height\":N?",
      "\"sha256\":TEXT?,\"path\":PATH?,\"state\":TEXT,\"skipped_for\":TEXT?,\"name\"?:TEXT",
      "\"file\"?:{\"taken_at\"?:TEXT,\"taken_by\"?:TEXT,\"gps_by\"?:TEXT,\"camera\"?:TEXT,\"artist\"?:TEXT",
      "\"copyright\"?:TEXT,\"caption\"?:TEXT,\"origin\"?:TEXT,\"offset\"?:N,\"duration\"?:N,\"keywords\":[TEXT]",
      "\"codecs\":[TEXT],\"sound\"?:BOOL,\"gps\":BOOL}",
      "\"text\"?:{\"read_by\":TEXT,\"text\":TEXT,\"boxes\"?:[[N]]}",
      "\"machine\"?:{\"tags\":[{\"tag\":TEXT,\"score\":N}],\"caption\"?:TEXT,\"sensitive\"?:N}}]",
      "\"quote\":{\"id\":N?,\"uri\":TEXT,\"url\":TEXT?}?", "\"elsewhere\"?:[{\"id\":N,\"address\":TEXT}]",
      "\"deleted\"?:true,\"in_picture\"?:true,\"score\"?:N",
      "\"change\"?:\"listed\"|\"inserted\"|\"updated\"|\"removed\"",
    ]

  func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

  /// Its members.
  var members: JSONMembers {
    var line: JSONMembers = [
      "author": post.author.map { ["handle": $0.handle, "name": $0.name, "avatar": $0.avatar?.path] as JSONMembers },
      "attachments": post.attachments.map(members(of:)),
      "quote": post.quote.map { ["id": $0.post, "uri": $0.uri, "url": $0.url] as JSONMembers },
    ]
    for fact in facts {
      line[fact.name] =
        switch fact.value(post) {
        case .text(let text): text
        case .number(let number): number
        case .flag(let flag): flag
        case .time(let time): time.map(UTC.text)
        case .texts(let texts): texts
        }
    }
    if isOwners, !post.elsewhere.isEmpty {
      line["elsewhere"] = post.elsewhere.map { ["id": $0.post, "address": $0.address] as JSONMembers }
    }
    if post.isDeleted { line["deleted"] = true }
    if post.isFoundInPicture { line["in_picture"] = true }
    if let score { line["score"] = score }
    guard let file else { return line }
    line["uri"] = post.uri
    // Counted as people and hydrus do.
    line["file"] = file + 1
    return line
  }

  private func members(of attachment: StoredAttachment) -> JSONMembers {
    var line: JSONMembers = [
      "kind": attachment.kind, "url": attachment.url, "alt": attachment.alt, "width": attachment.width,
      "height": attachment.height, "sha256": attachment.blob?.hex, "path": attachment.blob?.path,
      "state": attachment.state.rawValue, "skipped_for": attachment.skippedFor,
    ]
    if let name = attachment.name { line["name"] = name }
    // Where it was taken is told by no text that may be handed on.
    if let facts = attachment.facts { line["file"] = facts.members }
    if let text = attachment.text {
      let boxes = boxes ? text.lines.map(\.box) : nil
      line["text"] = JSONMembers(present: ["read_by": text.engine, "text": text.text, "boxes": boxes])
    }
    // As marks, what the person's model finds is for the person.
    if isOwners, let findings = attachment.findings { line["machine"] = findings.members }
    return line
  }
}

extension FileFacts {
  fileprivate var members: JSONMembers {
    JSONMembers(present: [
      "taken_at": takenAt, "taken_by": takenBy, "gps_by": placeBy, "camera": camera, "artist": artist,
      "copyright": copyright, "caption": caption, "origin": origin, "offset": offset, "duration": duration,
      "keywords": keywords, "codecs": codecs, "sound": hasSound, "gps": latitude != nil,
    ])
  }
}

extension ModelFindings {
  fileprivate var members: JSONMembers {
    let tags: [JSONMembers] = tags.map { ["tag": $0.name, "score": $0.score] }
    return JSONMembers(present: ["tags": tags, "caption": caption, "sensitive": sensitive])
  }
}
