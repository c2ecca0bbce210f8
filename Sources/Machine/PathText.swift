/// The parts of a path, from its text alone.
package enum PathText {
  /// The folder of a path: `/a` for `/a/b`, `/` for `/a` and `/`, nothing for `a`.
  package static func parent(of path: String) -> String {
    let bare = withoutSlashes(path)
    guard let slash = bare.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "" }
    return slash == bare.startIndex ? "/" : withoutSlashes(String(bare[..<slash]))
  }

  /// The last part of a path: `b` for `/a/b`.
  package static func name(of path: String) -> String {
    let bare = withoutSlashes(path)
    guard bare != "/", let slash = bare.utf8.lastIndex(of: UInt8(ascii: "/")) else { return bare }
    return String(bare[bare.utf8.index(after: slash)...])
  }

  /// A file's name without its extension. A dot at the beginning begins no extension.
  package static func stem(of name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return name }
    return String(name[..<dot])
  }

  /// The extension of a file's name, without its dot; empty if there is none. A dot at the beginning begins no extension.
  package static func fileExtension(of name: String) -> String {
    guard let dot = name.utf8.lastIndex(of: UInt8(ascii: ".")), dot != name.startIndex else { return "" }
    return String(name[name.utf8.index(after: dot)...])
  }

  private static func withoutSlashes(_ path: String) -> String {
    guard let end = path.utf8.lastIndex(where: { $0 != UInt8(ascii: "/") }) else { return path.isEmpty ? "" : "/" }
    return String(path[...end])
  }
}
