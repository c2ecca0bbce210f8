import ArgumentParser
import Filters
import FoundationEssentials
import Login
import MediaLibrary
import Posts
import Services
import Storage

/// Shell completions from the library and the accounts. Completion never prints messages or changes anything. What cannot
/// be read is not offered.
enum Completing {
  /// The names of feeds that were pulled or followed.
  static let feeds = offering { words, _ in inStore(words) { try $0.feeds().map(\.name) } }

  /// The tags of posts in the library.
  static let tags = offering { words, prefix in
    inStore(words) { try $0.tagNames(beginningWith: prefix, limit: 100) }
  }

  /// The person's own tags, as commands write them, or as they are typed: without `+`.
  static let ownTags = offering { words, prefix in
    let sign = prefix.isEmpty || prefix.hasPrefix("+") ? "+" : ""
    return inStore(words) { try $0.ownTags(beginningWith: String(prefix.drop { $0 == "+" }), limit: 100) }.map {
      sign + $0
    }
  }

  /// The names of albums.
  static let albums = offering { words, _ in inStore(words) { try $0.albums().map(\.name) } }

  /// The names of rules.
  static let rules = offering { words, _ in inStore(words) { try $0.rules().map(\.name) } }

  /// The names of saved searches.
  static let searches = offering { words, _ in inStore(words) { try $0.savedSearches().map(\.name) } }

  /// The handles of authors in the library.
  static let authors = offering { words, prefix in
    inStore(words) { try $0.authorHandles(beginningWith: prefix, limit: 100) }
  }

  /// The authors and tags that can be hidden, or, behind `unhide`, those that are.
  static let hidden = offering { words, prefix in
    if words.contains("unhide") { return inStore(words) { try $0.hiddenNames().map(\.name.text) } }
    let typed = prefix.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
    guard typed.count == 2 else { return ["tag:", "user:"] }
    return inStore(words) { store in
      try typed[0] == "tag"
        ? store.tagNames(beginningWith: typed[1], limit: 100) : store.authorHandles(beginningWith: typed[1], limit: 100)
    }.map { "\(typed[0]):\($0)" }
  }

  /// The keys of filters, and behind a key the values that it knows or the library has.
  static let filters = offering { words, prefix in
    FilterCompletion(of: prefix).offers { key, beginning in
      inStore(words) { try $0.names(of: key, beginningWith: beginning) }
    }.map(\.text)
  }

  /// The pulled tags, with their servers.
  static let pulledTags = pulled(.tag)
  /// The pulled users, with their servers.
  static let pulledUsers = pulled(.user)
  /// The addresses of pulled feeds.
  static let addresses = offering { words, _ in
    inStore(words) { try $0.feeds().filter { $0.kind == .url }.map(\.value) }
  }

  /// The names of libraries in config.toml, and folders.
  static let libraries = offering { words, prefix in
    let names = prefix.contains("/") ? [] : paths([])?.libraryNames ?? []
    return names.filter { $0.hasPrefix(prefix) } + folders(beginningWith: prefix)
  }

  /// The servers of accounts and feeds.
  static let servers = offering { words, _ in
    let known = inStore(words) { try $0.feeds().filter { $0.isPulled && $0.kind != .url }.map(\.server.name) }
    return Set(known + accounts(words).map(\.server.name)).sorted()
  }

  /// The logins.
  static let accounts = offering { words, _ in accounts(words).map(\.handle) }

  /// The sources that can be pulled.
  static let sources = CompletionKind.list(Catalogue.entries.map(\.name.rawValue))

  /// The APIs of services that have several.
  static let apis = CompletionKind.list(SourceHelp.apiNames)

  /// The settings' names.
  static let settings = CompletionKind.list(SettingKey.allCases.map(\.rawValue))

  /// The values of the setting named before.
  static let settingValues = offering { words, _ in
    guard let key = words.lazy.compactMap(SettingKey.init).first, case .choice(let names) = key.kind else { return [] }
    return names
  }

  /// Completes a word, given the previous words and its beginning. Zsh takes what follows a colon for a description.
  private static func offering(_ words: @escaping @Sendable ([String], String) -> [String]) -> CompletionKind {
    .custom { typed, index, prefix in
      guard CompletionShell.requesting == .zsh else { return words(typed, prefix) }
      // Zsh passes the beginning as it stands on the line: in quotation marks, which it does not count, or with backslashes.
      let isQuoted = prefix.hasPrefix("'") || prefix.hasPrefix("\"")
      let prefix = isQuoted && typed.indices.contains(index) ? String(typed[index].dropFirst()) : unescaped(prefix)
      // Zsh itself would compare names with what is typed as they are written, with quotation marks.
      let plain = { (text: String) in text.lowercased().replacing("\"", with: "") }
      return words(typed, prefix).filter { plain($0).hasPrefix(plain(prefix)) }
        .map { $0.replacing("\\", with: "\\\\").replacing(":", with: "\\:") }
    }
  }

  private static func unescaped(_ text: String) -> String {
    var isTaken = false
    return text.filter { character in
      isTaken = !isTaken && character == "\\"
      return !isTaken
    }
  }

  private static func pulled(_ kind: Feed.Kind) -> CompletionKind {
    offering { words, _ in
      inStore(words) { store in
        try store.feeds().filter { $0.kind == kind }.map { String($0.name.dropFirst(kind.rawValue.count + 1)) }
      }
    }
  }

  private static func paths(_ words: [String]) -> LibraryPaths? {
    let option = words.firstIndex(of: "--library").flatMap { words.dropFirst($0 + 1).first }
    return try? LibraryNames(
      environment: ProcessInfo.processInfo.environment, currentFolder: FileManager.default.currentDirectoryPath
    ).paths(of: option)
  }

  private static func folders(beginningWith prefix: String) -> [String] {
    let shown = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
    let home = ProcessInfo.processInfo.environment["HOME"]
    let path = shown.hasPrefix("~/") ? (home ?? "~") + shown.dropFirst() : shown
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path.isEmpty ? "." : path)) ?? []
    let isShown = { (name: String) in !name.hasPrefix(".") || prefix.dropFirst(shown.count).hasPrefix(".") }
    return names.sorted().filter { name in
      var isFolder = false
      return "\(shown)\(name)".hasPrefix(prefix) && isShown(name)
        && FileManager.default.fileExists(atPath: "\(path)\(name)", isDirectory: &isFolder) && isFolder
    }.map { shown + $0 }
  }

  private static func inStore(_ words: [String], _ read: (Store) throws -> [String]) -> [String] {
    guard let paths = paths(words),
      let store = try? paths.address.map({ try Store.open(library: $0, for: .reading) })
        ?? Store.open(library: paths.library, for: .reading, now: Date())
    else { return [] }
    defer { store.close() }
    return (try? read(store)) ?? []
  }

  private static func accounts(_ words: [String]) -> [Account] {
    paths(words).flatMap { try? Accounts(folder: $0.configuration).all() } ?? []
  }
}
