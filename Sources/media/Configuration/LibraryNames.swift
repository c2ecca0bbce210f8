// The names that a user gives to libraries in config.toml.

import Filters
import Glibc
import Storage

/// What the name of a library stands for: what `[libraries]` of the user's own config.toml says, or else a folder.
struct LibraryNames: Sendable {
  private let environment: [String: String]
  private let currentFolder: String

  /// - Parameters:
  ///   - environment: The variables, which say where the configuration is.
  ///   - currentFolder: Where relative paths begin.
  init(environment: [String: String], currentFolder: String) {
    (self.environment, self.currentFolder) = (environment, currentFolder)
  }

  /// Finds the folders of a library. Reads config.toml only if something could be a name in it.
  ///
  /// - Parameter typed: What the command line names; nil for the library of the environment.
  func paths(of typed: String? = nil) throws -> LibraryPaths {
    if let address = typed.flatMap({ LibraryAddress($0) }), address.hasPassword { throw Self.visiblePassword }
    for word in [typed, environment[LibraryAddress.variable], environment["MEDIA_HOME"]] {
      if let word { try Self.refuseForeign(word) }
    }
    var meant = environment
    for variable in [LibraryAddress.variable, "MEDIA_HOME"] {
      // The command line goes before both. The configuration may still lie in MEDIA_HOME.
      guard let word = environment[variable], typed == nil || variable == "MEDIA_HOME" else { continue }
      meant[variable] = try meaning(of: word, typed)
    }
    return try LibraryPaths(
      environment: meant, library: try typed.map { try meaning(of: $0, typed) }, currentFolder: currentFolder)
  }

  /// What a word stands for; itself if it is no name. What has a slash is a path.
  private func meaning(of word: String, _ typed: String?) throws -> String {
    guard !word.isEmpty, !word.contains("/"), ![".", "..", "~"].contains(word),
      // The configuration that came with a library names no other.
      let folder = try LibraryPaths(environment: environment, library: typed, currentFolder: currentFolder).commands
    else { return word }
    let file = "\(folder)/\(LibraryPaths.settingsName)"
    let libraries = try SettingsFile.libraries(file)
    guard let meaning = libraries[word] else {
      if let nearest = Spelling.nearest(to: word, among: libraries.keys.sorted()), !exists("\(currentFolder)/\(word)") {
        throw UsageError(
          "there is neither a library \"\(Spelling.printable(word))\" in \(file) nor a folder of that name",
          cure: "did you mean \(nearest)? write ./\(Spelling.printable(word)) for a new folder")
      }
      return word
    }
    try refuseTwo(word, meaning)
    if LibraryAddress(meaning)?.hasPassword == true { try refuseReadable(file, word) }
    return meaning
  }

  /// Refuses to choose between two libraries: whatever is chosen would surprise somebody.
  private func refuseTwo(_ word: String, _ meaning: String) throws {
    let beside = "\(currentFolder)/\(word)"
    guard exists("\(beside)/media.sqlite") else { return }
    let home = environment["HOME"] ?? ""
    let path = meaning.hasPrefix("~") ? home + meaning.dropFirst() : meaning
    guard realPath(beside) != realPath(path) else { return }
    throw UsageError(
      "\"\(word)\" is a library of \(LibraryPaths.settingsName), and also one in this folder",
      cure: "write ./\(word) for the one in this folder, or go to another folder for the other")
  }

  /// Refuses an address with a password that others can read.
  private func refuseReadable(_ file: String, _ name: String) throws(ConfigurationFileError) {
    var facts = stat()
    guard stat(file, &facts) == 0, facts.st_mode & 0o077 == 0 else {
      throw ConfigurationFileError(
        path: file, line: nil, reason: "the address of \(name) has a password, and others can read the file",
        cure: "run \"chmod 600 \(file)\", and change the password if others use this machine")
    }
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  private func realPath(_ path: String) -> String? {
    guard let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Refuses an address of another kind, of which a folder would be made. It is not repeated: it may hold a password.
  private static func refuseForeign(_ word: String) throws(UsageError) {
    guard !LibraryAddress.isMeant(by: word), let mark = word.firstRange(of: "://"), mark.lowerBound > word.startIndex,
      word[..<mark.lowerBound].allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) })
    else { return }
    let scheme = String(word[..<mark.upperBound])
    throw UsageError(
      "\(Spelling.printable(scheme))… is no address of a library",
      cure: "write postgresql://HOST/DATABASE?blobs=s3://BUCKET/PREFIX, or a folder")
  }

  /// Everybody on the machine can read the arguments of a program.
  private static let visiblePassword = UsageError(
    "others on this machine can see a password in the arguments",
    cure:
      "keep it in ~/.pgpass, a file that PGPASSFILE names, or pg_service.conf, or name the whole address in [libraries] of config.toml"
  )
}
