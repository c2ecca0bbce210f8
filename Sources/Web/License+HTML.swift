import Posts

extension License {
  /// Its name, with a link if it has an address.
  package var html: HTML {
    guard let address else { return "<bdi>\(name)</bdi>" }
    return "<a href=\"\(address)\" rel=\"license noopener noreferrer\">\(name)</a>"
  }
}
