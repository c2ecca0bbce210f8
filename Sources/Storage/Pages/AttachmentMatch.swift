import Posts

/// Matches incoming attachments to stored ones. Each stored one matches once.
struct AttachmentMatch {
  private let stored: [AttachmentRecord]
  /// Whether the attachments come from another server than the stored ones, and are as many. Then neither ids nor URLs can
  /// agree, and the position decides.
  private let otherServer: Bool
  /// How the files of a feed's item are recognized; nil for other posts.
  private let files: ItemFiles?

  init(stored: [AttachmentRecord], otherServer: Bool, files: ItemFiles? = nil) {
    (self.stored, self.otherServer, self.files) = (stored, otherServer, files)
  }

  /// The incoming attachments, in order, with the number, bytes and state of the matching stored ones.
  func merged(_ attachments: [Attachment], state: String) -> [AttachmentRecord] {
    let wanted = attachments.map { AttachmentRecord($0, state: state) }
    var pairs = self.pairs(of: wanted)
    files?.complete(&pairs, of: attachments, with: stored)
    return zip(wanted, zip(attachments, pairs)).map { wanted, match in
      let (attachment, pair) = match
      var new = wanted
      new.inherit(from: stored)
      guard let pair else { return new }
      let known = stored[pair.index]
      return files?.isReplaced(known, by: attachment) == true ? new : merged(wanted, with: known)
    }
  }

  private func merged(_ wanted: AttachmentRecord, with known: AttachmentRecord) -> AttachmentRecord {
    var wanted = wanted
    if wanted.kind == Self.unnamed { wanted.kind = known.kind }
    wanted.id = known.id
    wanted.blob = known.blob
    (wanted.skippedBy, wanted.limits) = (known.skippedBy, known.limits)
    wanted.url = wanted.url ?? known.url
    wanted.name = wanted.name ?? known.name
    wanted.alternateURL = wanted.alternateURL ?? (otherServer ? known.url : known.alternateURL)
    // A link that failed may have expired. A new link deserves a new try.
    let isFreshLink = wanted.url != known.url && known.state != "stored" && known.state != "skipped"
    // An earlier version left it pending.
    let isHopeless = wanted.state == "gone" && known.state == "pending" && !known.hasAddress
    if !isFreshLink, !isHopeless {
      (wanted.state, wanted.attempts, wanted.nextTryAt) = (known.state, known.attempts, known.nextTryAt)
      (wanted.failure, wanted.goneAt) = (known.failure, known.goneAt)
    }
    return wanted
  }

  /// The kind of a file that a server does not specify. It matches every kind.
  private static let unnamed = Attachment.Kind.file.rawValue

  private func pairs(of wanted: [AttachmentRecord]) -> [ItemFiles.Pair?] {
    var isMatched = Array(repeating: false, count: stored.count)
    return wanted.enumerated().map { position, incoming in
      guard let index = match(incoming, at: position, leaving: isMatched) else { return nil }
      isMatched[index] = true
      return ItemFiles.Pair(index: index, by: .address)
    }
  }

  private func match(_ incoming: AttachmentRecord, at position: Int, leaving isMatched: [Bool]) -> Int? {
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
    if known.isNameless {
      return samePosition && isSameKind(known, wanted)
        || wanted.url != nil && known.alternateURL != nil && WebAddress.sameFile(known.alternateURL, wanted.url)
    }
    if let id = wanted.remoteID, id == known.remoteID { return true }
    return wanted.url != nil && known.url != nil && WebAddress.sameFile(known.url, wanted.url)
  }
}
