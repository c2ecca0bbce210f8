import MediaLibrary
import Storage

/// A term of a list's filter, and the same list without it.
struct ListTerm: Encodable, Sendable, Equatable {
  /// The term in its one spelling.
  let term: String
  /// The parameters of the list without it.
  let query: String
}

extension ListAddress {
  /// The filter; nil if there is none.
  ///
  /// - Throws: `RequestError` if it cannot be read.
  func filter() throws(RequestError) -> Filter? {
    guard let search else { return nil }
    do { return try Filter(parsing: search) } catch { throw .badFilter(error) }
  }

  /// What the filter names that the library does not have, as a sentence; nil if it has all.
  func unknownName(in store: Store) throws -> String? {
    do {
      if let filter = try filter() { try store.expectNames(of: filter) }
      return nil
    } catch let error as MarkError { return error.description }
  }

  /// The list with what is finished of a filter that is still typed.
  ///
  /// - Throws: `RequestError` if what is finished cannot be read.
  func asFarAsTyped() throws(RequestError) -> ListAddress {
    guard let search, (try? filter()) == nil else { return self }
    do { return showing(try Filter(parsing: search, isUnfinished: true)) } catch { throw .badFilter(error) }
  }

  /// Each term is sent with the rest of the filter, so that a long filter would be sent hundreds of times.
  private static let mostTerms = 40

  /// The first terms of the filter that must all match; none if it cannot be read.
  var terms: [ListTerm] {
    let parts = ((try? filter()) ?? .everything).parts
    return parts.indices.prefix(Self.mostTerms).map { index in
      var others = parts
      others.remove(at: index)
      return ListTerm(term: "\(parts[index])", query: showing(.conjunction(others)).query)
    }
  }

  /// The list with another filter.
  private func showing(_ filter: Filter) -> ListAddress {
    var list = self
    list.search = filter == .everything ? nil : "\(filter)"
    return list
  }
}
