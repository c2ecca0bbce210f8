import FoundationEssentials

/// A file of settings as Amazon's tools write it: sections in brackets, `key = value`, and nested keys below an empty value
/// (https://docs.aws.amazon.com/sdkref/latest/guide/file-format.html).
struct AWSFile {
  private var sections: [String: [String: String]] = [:]

  /// The maximum size of a file in bytes.
  private static let mostBytes = 1 << 20

  /// Reads a file. One that is absent, unreadable or too large has no sections.
  init(path: String) {
    let data = FileManager.default.contents(atPath: path) ?? Data()
    self.init(data.count <= Self.mostBytes ? String(decoding: data, as: UTF8.self) : "")
  }

  init(_ text: String) {
    var (section, parent): (String?, String?) = (nil, nil)
    for line in text.split(whereSeparator: \.isNewline) {
      let content = line.trimmed
      if content.isEmpty || content.hasPrefix("#") || content.hasPrefix(";") { continue }
      if content.hasPrefix("["), content.hasSuffix("]") {
        section = content.dropFirst().dropLast().split(whereSeparator: \.isWhitespace).joined(separator: " ")
        parent = nil
        continue
      }
      guard let section, let equals = content.firstIndex(of: "=") else { continue }
      let key = content[..<equals].trimmed.lowercased()
      let value = String(content[content.index(after: equals)...].trimmed)
      let isNested = line.first?.isWhitespace == true && parent != nil
      sections[section, default: [:]][isNested ? "\(parent!).\(key)" : key] = value
      if !isNested { parent = value.isEmpty ? key : nil }
    }
  }

  /// A value; nil if it is absent or empty. A nested key is written `parent.key`.
  func value(_ key: String, in names: [String]) -> String? {
    names.lazy.compactMap { sections[$0]?[key] }.first { !$0.isEmpty }
  }

  /// Whether one of these sections exists.
  func has(_ names: [String]) -> Bool { names.contains { sections[$0] != nil } }
}

extension Substring {
  fileprivate var trimmed: Substring {
    let tail = drop(while: \.isWhitespace)
    return tail.lastIndex { !$0.isWhitespace }.map { tail[...$0] } ?? ""
  }
}
