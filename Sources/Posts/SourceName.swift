/// The name of a kind of remote service, as feeds, logins and the library write it.
///
/// Each source declares its own name in its folder. A library that a newer version wrote may hold names that no source
/// of this version has: they are stored, listed and shown as any other, and only pulling them fails.
public struct SourceName: RawRepresentable, Hashable, Sendable, Codable {
  /// The name as it is stored and typed.
  public let rawValue: String
  /// A name, whether or not a source has it.
  public init(rawValue: String) { self.rawValue = rawValue }

  /// Marks posts that a person added by hand. No source has this name.
  public static let manual = SourceName(rawValue: "manual")
  /// The source that is meant where none is named. The names of its feeds leave it out.
  public static let usual = SourceName(rawValue: "mastodon")
  /// The source whose posts and feeds are known by their addresses alone, whatever service is behind them.
  public static let ofAddresses = SourceName(rawValue: "feed")
}

/// No source of this version has a name that the library or a login holds.
public struct UnknownSource: ExplainedError, Equatable {
  /// The name.
  public let name: SourceName
  /// An error about a name.
  public init(_ name: SourceName) { self.name = name }

  /// What failed.
  public var summary: String { "this version of media has no source \"\(name.rawValue)\"" }
  /// What to do about it.
  public var cure: String? { "install the newer version" }
  /// The exit status of the command.
  public var exitCode: ExitCode { .configuration }
}
