import Storage

/// What is written beside an exported file.
public enum Sidecar: String, Sendable, CaseIterable {
  /// `NAME.EXT.xmp`, which programs for photographs read.
  case xmp
  /// `NAME.EXT.json`: the post as `media list --json` prints it, and which of its files this is.
  case json
  /// `NAME.EXT.txt` and `NAME.EXT.urls.txt`, as hydrus reads them.
  case hydrus

  /// The endings and the contents of the files.
  func files(
    of post: StoredPost, _ index: Int, marks: Bool = false, json: (StoredPost, _ file: Int) throws -> String
  ) rethrows -> [(ending: String, text: String)] {
    switch self {
    case .xmp: [(".xmp", XMPPacket(post, index, marks: marks).text)]
    case .json: [(".json", try json(post, index))]
    case .hydrus:
      [(".txt", HydrusTags(post, index, marks: marks).text), (".urls.txt", HydrusTags.addresses(of: post, index))]
    }
  }
}
