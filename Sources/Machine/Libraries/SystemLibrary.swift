/// A system library that is loaded at its first use, and the Debian package that has it.
package struct SystemLibrary: Sendable, Equatable {
  /// The file that the loader looks for: `libcurl.so.4`.
  package let file: String
  /// Its package in a release of Debian: `libcurl4`.
  package let package: String

  /// The libraries of this system's release of Debian. Another system has those of the newest release.
  package static let all = of(DebianRelease.running)

  /// What is said where a library cannot be loaded.
  ///
  /// - Parameters:
  ///   - file: The file that the program loads. Of a library whose structures differ between versions, a program loads
  ///     that with which it was built, and another release of Debian has another.
  ///   - release: The release of Debian; nil for another system.
  package static func missing(_ file: String, on release: String? = DebianRelease.running) -> String {
    let name = stem(file)
    guard let known = of(release).first(where: { stem($0.file) == name }) else { return "\(file) is not installed" }
    return known.file == file
      ? "\(name) is not installed: apt-get install \(known.package)"
      : "\(file) is not in this release of the system: install the media for this release"
  }

  /// The libraries of a release.
  static func of(_ release: String?) -> [SystemLibrary] {
    let column = release.flatMap { releases.firstIndex(of: $0) } ?? releases.count - 1
    return rows.dropFirst().compactMap { row in
      let cell = row[1 + column].split(separator: " ").map(String.init)
      return cell[0] == "-" ? nil : SystemLibrary(file: cell[0], package: cell[1])
    }
  }

  /// The releases that the table knows, the oldest first.
  static var releases: [String] {
    rows.first.map { $0.dropFirst().map { String($0.prefix { $0 != " " }) } } ?? []
  }

  /// The table from which packages are made, too. `Scripts/package check` holds it to its form.
  private static let rows: [[String]] = String(decoding: PackageResources.libraries_tsv, as: UTF8.self)
    .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { $0.split(separator: "\t").map(String.init) }

  private static func stem(_ file: String) -> Substring { file.prefix { $0 != "." } }
}
