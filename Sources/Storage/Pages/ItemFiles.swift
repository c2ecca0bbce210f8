import Posts

/// Recognizes the files of a feed's item under new addresses. Feeds may write new ones at each build, and what is behind
/// them may differ at each download: a file is its item's, not its address's.
struct ItemFiles {
  /// Whether the item's own date of change is later than the stored one.
  let isRevised: Bool
  /// The numbers of bytes of the stored files, by the numbers of their attachments.
  let byteCounts: [Int64: Int]
  /// Whether the item declared a file of this length before.
  let wasDeclared: (Int) -> Bool

  /// A stored attachment that an incoming one is, and by what it was recognized, the strongest first.
  struct Pair {
    enum Evidence { case address, path, length, name, type, kind }

    let index: Int
    let by: Evidence
  }

  /// Pairs the files that their addresses alone did not. A name counts only if it means one file on either side.
  func complete(_ pairs: inout [Pair?], of incoming: [Attachment], with stored: [AttachmentRecord]) {
    let wanted = incoming.map { Facts($0) }
    let known = stored.map { record in Facts(record, byteCount: record.id.flatMap { byteCounts[$0] }) }
    pair(&pairs, .path, wanted, known, by: \.path)
    pair(&pairs, .length, wanted, known, by: \.length)
    pairLast(&pairs, .name, wanted, known, by: \.name)
    pairLast(&pairs, .type, wanted, known, by: \.type)
    pairLast(&pairs, .kind, wanted, known, by: \.kind)
  }

  /// Whether other bytes are behind the address of a stored file: its item was revised, and declares another length than
  /// it did, or declares none and names another file. Feeds that write a new date or address at each build would be fetched
  /// whole without that; where a file of the same name has no length, its server can be asked.
  func isReplaced(_ known: AttachmentRecord, by incoming: Attachment) -> Bool {
    guard isRevised, known.state == "stored", known.url != nil else { return false }
    guard let declared = incoming.byteCount else { return name(known.url) != name(incoming.url) }
    return known.id.flatMap { byteCounts[$0] } != declared && !wasDeclared(declared)
  }

  /// The name of the file that an address leads to, or the address where a script is there.
  private func name(_ address: String?) -> String? {
    address.map { WebAddress.path($0).name ?? WebAddress.unsigned($0) }
  }

  private func pair(
    _ pairs: inout [Pair?], _ evidence: Pair.Evidence, _ wanted: [Facts], _ known: [Facts],
    by name: KeyPath<Facts, String?>
  ) {
    for (new, old) in single(pairs, wanted, known, by: name) { pairs[new] = Pair(index: old, by: evidence) }
  }

  /// Pairs the last file of a name, ending or kind. It is another one where the others of its kind are still at their
  /// addresses, or have the names or lengths that they had, and this one has not.
  private func pairLast(
    _ pairs: inout [Pair?], _ evidence: Pair.Evidence, _ wanted: [Facts], _ known: [Facts],
    by name: KeyPath<Facts, String?>
  ) {
    let proven = Dictionary(grouping: pairs.indices.filter { pairs[$0] != nil }) { wanted[$0].kind }
      .mapValues { $0.compactMap { pairs[$0]?.by } }
    for (index, left) in single(pairs, wanted, known, by: name) {
      let (new, old) = (wanted[index], known[left])
      let isOtherLength = new.byteCount != nil && old.byteCount != nil && new.byteCount != old.byteCount
      let isOther =
        proven[new.kind]?.contains { $0 == .length ? isOtherLength : $0 != .type } ?? false
      if !isOther, new.lastName == old.lastName { pairs[index] = Pair(index: left, by: evidence) }
    }
  }

  /// What is not paired and has a name that means one file on either side.
  private func single(
    _ pairs: [Pair?], _ wanted: [Facts], _ known: [Facts], by name: KeyPath<Facts, String?>
  ) -> [(incoming: Int, stored: Int)] {
    let (incoming, stored) = unpaired(pairs, wanted, known, by: name)
    return incoming.compactMap { name, indices in
      guard name != nil, indices.count == 1, let left = stored[name], left.count == 1 else { return nil }
      return (indices[0], left[0])
    }
  }

  /// The indices of what is not paired, by a name.
  private func unpaired(
    _ pairs: [Pair?], _ wanted: [Facts], _ known: [Facts], by name: KeyPath<Facts, String?>
  ) -> (incoming: [String?: [Int]], stored: [String?: [Int]]) {
    let taken = Set(pairs.compactMap { $0?.index })
    return (
      Dictionary(grouping: wanted.indices.filter { pairs[$0] == nil }) { wanted[$0][keyPath: name] },
      Dictionary(grouping: known.indices.filter { !taken.contains($0) }) { known[$0][keyPath: name] }
    )
  }

  /// The numbers in an item as its feed wrote it, among which are the lengths that it declared.
  static func numbers(in item: [UInt8]) -> Set<Int> {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    return Set(item.split { !digits.contains($0) }.compactMap { Int(String(decoding: $0, as: UTF8.self)) })
  }

  /// What is known of a file.
  private struct Facts {
    let kind: String?
    let byteCount: Int?
    /// Its kind and its address without the query, unless a script is there.
    let path: String?
    /// Its kind and its name in the address, unless that is a script's; the same with the name's ending alone.
    let name, type: String?
    /// A picture's name: another picture is worth its few bytes, another build of an episode is not. A picture without a
    /// name is named by its whole address.
    let lastName: String?

    var length: String? { byteCount.map { "\(kind ?? "") \($0)" } }

    init(_ attachment: Attachment) {
      self.init(attachment.kind.rawValue, attachment.url?.storable, attachment.byteCount)
    }

    init(_ record: AttachmentRecord, byteCount: Int?) { self.init(record.kind, record.url, byteCount) }

    private init(_ kind: String, _ url: String?, _ byteCount: Int?) {
      let kind = kind == Attachment.Kind.gifv.rawValue ? Attachment.Kind.video.rawValue : kind
      self.kind = kind
      self.byteCount = byteCount
      let parts = url.map(WebAddress.path)
      let isPicture = kind == Attachment.Kind.image.rawValue
      path = parts.flatMap { isPicture && $0.name == nil ? nil : "\(kind) \($0.bare)" }
      name = parts?.name.map { "\(kind) \($0)" }
      type = parts?.name?.split(separator: ".").last.map { "\(kind) \($0)" }
      lastName = isPicture ? parts?.name ?? url : nil
    }
  }
}
