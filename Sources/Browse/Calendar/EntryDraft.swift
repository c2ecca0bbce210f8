import FoundationEssentials

/// The time range of an entry that a person is about to write.
public struct EntryDraft: Sendable, Equatable {
  /// When it begins.
  public var start: Date
  /// When it ends.
  public var finish: Date
}
