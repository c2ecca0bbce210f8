@_exported import enum DemoServer.JSON

extension JSON {
  /// A member of an object; nil for anything else.
  public subscript(name: String) -> JSON? {
    if case .object(let members) = self { members.first { $0.0 == name }?.1 } else { nil }
  }

  /// The object with some members replaced; those that it lacks come last, in the order of their names.
  public func replacing(_ others: [String: JSON]) -> JSON {
    guard case .object(let members) = self else { return self }
    let more = others.filter { self[$0.key] == nil }.sorted { $0.key < $1.key }
    return .object(members.map { ($0, others[$0] ?? $1) } + more.map { ($0.key, $0.value) })
  }
}
