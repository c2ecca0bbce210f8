// The paths of folders and files. Nothing here opens or creates them.

import FoundationEssentials
import Machine
import Posts
import Storage

/// The library's folder and the configuration's, from the command line and the environment.
struct LibraryPaths: Equatable, Sendable {
  /// The folder with the store and the pictures, absolute, without a trailing slash. Of a library with an address: the
  /// folder with what only this machine keeps of it, such as cached pictures and the locks of its processes.
  let library: String
  /// The address of a library in PostgreSQL; nil if the library is in a folder.
  let address: LibraryAddress?
  /// The folder with the settings and the accounts, absolute, without a trailing slash.
  let configuration: String
  /// The folder whose settings may run programs: the user's own, whatever came with a library. Nil if unknown.
  let commands: String?
  /// Whether it is the folder below the home that is used if nothing else is said.
  let isUsual: Bool
  /// The environment with which another process finds the same folders.
  let variables: [(name: String, value: String)]

  /// Whether the configuration came with the library, which somebody else may have made.
  var isInLibrary: Bool { commands != configuration }

  /// The settings file that users write.
  var settingsFile: String { "\(configuration)/\(Self.settingsName)" }
  static let settingsName = "config.toml"

  /// The names that the user gave to libraries; none if the settings file cannot be read.
  var libraryNames: [String] {
    commands.flatMap { try? SettingsFile.libraries("\($0)/\(Self.settingsName)").keys.sorted() } ?? []
  }

  static func == (left: Self, right: Self) -> Bool {
    left.library == right.library && left.address == right.address && left.configuration == right.configuration
      && left.commands == right.commands
  }

  /// Finds the folders.
  ///
  /// `library` comes from the command line and moves only the library, as `MEDIA_LIBRARY` does. An empty variable counts as unset. A relative XDG
  /// folder is ignored, as the XDG Base Directory Specification requires; other relative paths begin at `currentFolder`. A
  /// configuration in `MEDIA_HOME`, or in the library, sets no command, even if `MEDIA_CONFIG` names it, as crontabs of
  /// earlier versions do: the library may be somebody else's.
  init(environment: [String: String], library option: String? = nil, currentFolder: String) throws(LibraryPathsError) {
    let set = environment.filter { !$0.value.isEmpty }
    // A removed folder has no name. Relative paths would be resolved against the root.
    let option = option ?? set[LibraryAddress.variable]
    let named = [option, set["MEDIA_HOME"], set["MEDIA_CONFIG"]].compactMap(\.self)
      .filter { !LibraryAddress.isMeant(by: $0) }
    if currentFolder.isEmpty, let relative = named.first(where: { !"/~".contains($0.prefix(1)) }) {
      throw .noCurrentFolder(relative)
    }
    func absolute(_ path: String) -> String {
      var full = path.hasPrefix("/") ? path : "\(currentFolder)/\(path)"
      // Shells do not expand a tilde after an equals sign, and crontabs never do.
      if path == "~" || path.hasPrefix("~/"), let home = set["HOME"] { full = home + path.dropFirst() }
      while full.count > 1, full.hasSuffix("/") { full.removeLast() }
      return full
    }
    func below(_ folder: String, _ name: String) -> String { folder == "/" ? "/\(name)" : "\(folder)/\(name)" }
    func standard(_ variable: String, _ hidden: String) throws(LibraryPathsError) -> String {
      if let folder = set[variable], folder.hasPrefix("/") { return below(absolute(folder), "media") }
      guard let home = set["HOME"] else { throw .noHome }
      return below(absolute(home), "\(hidden)/media")
    }
    let home = set["MEDIA_HOME"].flatMap { LibraryAddress.isMeant(by: $0) ? nil : absolute($0) }
    address = (option ?? set["MEDIA_HOME"]).flatMap { LibraryAddress($0) }
    library =
      if let address, let home {
        "\(home)/servers/\(address.name)"
      } else if let address {
        try "\(standard("XDG_CACHE_HOME", ".cache"))/servers/\(address.name)"
      } else if let chosen = option.map(absolute) ?? home {
        chosen
      } else {
        try standard("XDG_DATA_HOME", ".local/share")
      }
    isUsual = address == nil && set["HOME"].map { below(absolute($0), ".local/share/media") } == library
    let own = Result { () throws(LibraryPathsError) in try standard("XDG_CONFIG_HOME", ".config") }
    let chosen = set["MEDIA_CONFIG"].map(absolute)
    configuration = if let folder = chosen ?? home.map({ below($0, "config") }) { folder } else { try own.get() }
    let isOwn = configuration == (try? own.get())
    let libraries = [library, home].compactMap(\.self)
    guard !isOwn, chosen == nil || libraries.contains(where: { Self.lies(chosen!, in: $0) }) else {
      commands = configuration
      variables = [("MEDIA_CONFIG", configuration)]
      return
    }
    commands = try? own.get()
    let parent = commands.map { ("XDG_CONFIG_HOME", PathText.parent(of: $0)) }
    let folder = chosen.map { ("MEDIA_CONFIG", $0) } ?? home.map { ("MEDIA_HOME", $0) }
    variables = [folder, parent].compactMap(\.self)
  }

  /// Whether a folder is another one or lies in it, after resolving links.
  private static func lies(_ folder: String, in other: String) -> Bool {
    let paths = [folder, other].map { URL(filePath: $0).resolvingSymlinksInPath().path.split(separator: "/") }
    return paths[0].starts(with: paths[1])
  }
}

/// Why there is no path for a library.
enum LibraryPathsError: ExplainedError, Equatable {
  /// Neither a folder nor a home is named.
  case noHome
  /// No folder is known that is the user's own and not the library's.
  case noOwnFolder
  /// A path is relative to a folder that was removed.
  case noCurrentFolder(String)

  var summary: String {
    switch self {
    case .noHome: "no folder is known for the library and the settings, since HOME is not set"
    case .noOwnFolder: "no folder of your own is known that is not the library's"
    case .noCurrentFolder(let path): "\(path) cannot be found: the folder you are in was removed"
    }
  }
  var cure: String? {
    switch self {
    case .noHome: "set HOME or MEDIA_HOME"
    case .noOwnFolder: Self.ownFolderCure
    case .noCurrentFolder: "go to another folder"
    }
  }
  var exitCode: ExitCode { .configuration }

  /// Where the user's command is stored.
  static let ownFolderCure = "set HOME, XDG_CONFIG_HOME or MEDIA_CONFIG to a folder that is not the library's"
}
