import ArgumentParser

/// The ids of posts in one argument: one as a person types it, or many that `joined` put together.
struct PostIDs: ExpressibleByArgument {
  let ids: [Int64]

  init?(argument: String) {
    let ids = argument.split(separator: Self.separator, omittingEmptySubsequences: false).map { Int64($0) }
    guard !ids.contains(nil) else { return nil }
    self.ids = ids.compactMap(\.self)
  }

  /// The commands that take many ids.
  private static let commands = ["album", "delete", "hide", "mark", "pictures", "restore", "unhide"]
  /// Nobody types it, as 1,234 is typed.
  private static let separator: Character = "\u{1F}"
  /// Fewer arguments stay as they were typed, for what is said of mistakes.
  private static let few = 100

  /// The arguments with ids that stand in a row as one argument: the time of the parser grows with the square of their number.
  static func joined(_ arguments: [String]) -> [String] {
    guard arguments.count > few, commands.contains(arguments[0]) else { return arguments }
    var joined: [String] = []
    var row: [String] = []
    for word in arguments + [""] {
      if Int64(word).map({ $0 >= 0 }) ?? false {
        row.append(word)
        continue
      }
      // The first one may be the value of an option.
      joined += row.prefix(1) + (row.count > 1 ? [row.dropFirst().joined(separator: String(separator))] : []) + [word]
      row = []
    }
    return joined.dropLast()
  }
}
