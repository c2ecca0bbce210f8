import Posts

extension License {
  /// Its name, with a link if it has an address.
  package var html: HTML {
    guard let address, address.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F }) else { return "\(name)" }
    return "<a href=\"\(address)\" rel=\"license noopener noreferrer\">\(name)</a>"
  }
}
