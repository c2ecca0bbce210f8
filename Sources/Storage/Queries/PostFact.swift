import FoundationEssentials
import Posts

/// A fact of a post under the name that outputs for programs have for it.
package struct PostFact: Sendable {
  /// What a post has.
  package enum Value: Sendable {
    case text(String?)
    case number(Int64)
    case flag(Bool)
    case time(Date?)
    case texts([String])
  }

  /// Where it stands.
  package struct Outputs: OptionSet, Sendable {
    package let rawValue: Int
    package init(rawValue: Int) { self.rawValue = rawValue }

    /// What `media list --json` prints.
    package static let json = Outputs(rawValue: 1)
    /// The columns of CSV.
    package static let csv = Outputs(rawValue: 2)
    /// The columns of CSV, and the keys of a sidecar, only if somebody wants what they made of posts in there.
    package static let marks = Outputs(rawValue: 4)
    package static let both: Outputs = [.json, .csv]
  }

  /// Its key and column.
  package let name: String
  /// Which values it has, as the manual writes them.
  package let shape: String
  private let outputs: Outputs
  /// Its value of a post.
  package let value: @Sendable (StoredPost) -> Value

  /// The facts that an output has, in their order.
  package static func facts(in output: Outputs) -> [PostFact] { all.filter { $0.outputs.contains(output) } }

  // A new one stands at the end, so that the columns of CSV keep their places.
  private static let all = [
    PostFact("id", "N") { .number($0.id) },
    PostFact("origin", "\"pulled\"|\"manual\"") { .text($0.isManual ? "manual" : "pulled") },
    PostFact("source", "TEXT") { .text($0.source.rawValue) },
    PostFact("server", "TEXT?") { .text($0.server) },
    PostFact("remote_id", "TEXT?", .json) { .text($0.remoteID) },
    PostFact("uri", "TEXT", .csv) { .text($0.uri) },
    PostFact("url", "TEXT?") { .text($0.url) },
    PostFact("author", "TEXT", .csv) { .text($0.author?.handle) },
    PostFact("author_name", "TEXT", .csv) { .text($0.author?.name) },
    PostFact("created_at", "TIME") { .time($0.createdAt) },
    PostFact("ends_at", "TIME?") { .time($0.endsAt) },
    PostFact("edited_at", "TIME?") { .time($0.editedAt) },
    PostFact("gone", "BOOL", .json) { .flag($0.goneAt != nil) },
    PostFact("gone_at", "TIME?") { .time($0.goneAt) },
    PostFact("title", "TEXT?") { .text($0.title) },
    PostFact("caption", "TEXT") { .text($0.caption) },
    PostFact("warning", "TEXT?") { .text($0.warning.isEmpty ? nil : $0.warning) },
    PostFact("sensitive", "BOOL") { .flag($0.sensitive) },
    PostFact("language", "TEXT?") { .text($0.language) },
    PostFact("tags", "[TEXT]") { .texts($0.tags) },
    PostFact("repeated_by", "[TEXT]", .json) { .texts($0.repeatedBy.map(\.handle)) },
    PostFact("revisions", "N", .json) { .number(Int64($0.revisionCount)) },
    // No address holds a space.
    PostFact("attachments", "TEXT", .csv) { .text($0.attachments.compactMap(\.url).joined(separator: " ")) },
    PostFact("files", "TEXT", .csv) { .text($0.attachments.compactMap { $0.blob?.path }.joined(separator: " ")) },
    PostFact("alts", "TEXT", .csv) { .text($0.attachments.compactMap(\.alt).joined(separator: "\n")) },
    PostFact("visibility", "TEXT?") { .text($0.visibility?.rawValue) },
    PostFact("favourite", "BOOL", .marks) { .flag($0.marks.isFavourite) },
    PostFact("rating", "N", .marks) { .number(Int64($0.marks.rating)) },
    PostFact("seen", "BOOL", .marks) { .flag($0.marks.seenAt != nil) },
    PostFact("hidden", "BOOL", .marks) { .flag($0.marks.isHidden) },
    PostFact("note", "TEXT?", .marks) { .text($0.marks.note) },
    PostFact("own_tags", "[TEXT]", .marks) { .texts($0.marks.ownTags) },
    PostFact("albums", "[TEXT]", .marks) { .texts($0.marks.albums) },
    PostFact("license", "TEXT?") { .text($0.license?.rawValue) },
  ]

  private init(
    _ name: String, _ shape: String, _ outputs: Outputs = .both, _ value: @escaping @Sendable (StoredPost) -> Value
  ) { (self.name, self.shape, self.outputs, self.value) = (name, shape, outputs, value) }
}
