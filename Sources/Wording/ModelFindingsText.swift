import Blobs

extension ModelFindings {
  /// What a model found, in parts for people to read, each marked as a machine's.
  public var words: [String] {
    [
      tags.isEmpty ? nil : tags.prefix(Self.most).map { "~\($0.name)" }.joined(separator: " "),
      caption.map { "“\($0)” (machine)" },
      sensitive ?? 0 >= Self.sensitiveScore ? "may be sensitive (machine)" : nil,
    ].compactMap(\.self)
  }

  private static let most = 12
}
