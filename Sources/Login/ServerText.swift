import HTTP

/// Text from a server, made fit to be shown or stored.
package enum ServerText {
  /// One line without control characters, marks of direction and the like, at most `limit` characters; nil for nothing.
  package static func line(_ text: String?, limit: Int = 200) -> String? {
    guard let text else { return nil }
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit * 8) {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse, .unassigned:
        // The joiner holds emoji together and letters of some scripts apart.
        if scalar.value == 0x200D || scalar.value == 0x200C { kept.append(scalar) } else { kept.append(" ") }
      default: kept.append(scalar)
      }
    }
    let line = String(kept).split(separator: " ").joined(separator: " ").prefix(limit)
    return line.isEmpty ? nil : String(line)
  }

  /// The server's own reason for a refusal, unless it repeats a secret.
  package static func reason(_ text: String?, hiding secrets: [Secret]) -> String? {
    guard let said = line(text, limit: 120), !secrets.contains(where: { $0.occurs(in: said) }) else { return nil }
    return said
  }
}
