import Filters
import Rows

/// The posts that filters name by `like:`. Here a number does; in another library the same number is another post, so what
/// leaves the library has the source and the URI in its place.
struct NamedPosts {
  let db: Database

  /// What stands in place of the source where a number came without its post: nobody knows which one it was.
  private static let elsewhere = "elsewhere"

  /// A filter as other libraries read it.
  func leaving(_ filter: TransferValue) throws -> TransferValue {
    try Self.replacing(filter) { value in
      guard case .number(_, let id) = value else { return value }
      let named: String? = try db.row("SELECT source, uri FROM post WHERE id = $1", [id]) {
        try "\($0["source"] as String) \($0["uri"] as String)"
      }
      return .word(named ?? "\(Self.elsewhere) \(id)")
    }
  }

  /// A filter of another library. Its numbers are not those of posts here.
  static func arriving(_ filter: TransferValue) -> TransferValue {
    replacing(filter) { if case .number(_, let id) = $0 { .word("\(elsewhere) \(id)") } else { $0 } }
  }

  /// A filter as people read it here: with the numbers that posts have.
  func numbered(_ filter: String) throws -> String {
    let read = try Self.replacing(.text(filter)) { value in
      guard case .word(let name) = value, let id = try number(of: name) else { return value }
      return .number(.equal, id)
    }
    return read.text ?? filter
  }

  /// The numbers of the posts that a term names. Those that are not stored have none.
  func numbers(_ term: Filter.Term) throws -> [Int64] { try term.numbers + term.words.compactMap(number(of:)) }

  /// The number of the post with a source and a URI; nil if it is not stored.
  func number(of name: String) throws -> Int64? {
    guard let space = name.firstIndex(of: " ") else { return nil }
    return try db.value(
      """
      SELECT id FROM post WHERE source = $1 AND uri = $2
      UNION ALL SELECT post FROM post_alias WHERE source = $1 AND alias = $2 LIMIT 1
      """, [name[..<space].description.storable, name[name.index(after: space)...].description.storable])
  }

  /// How many of the posts that a filter names nobody can tell: those of numbers that came without them, or that no post has.
  func unknown(in filter: TransferValue) throws -> Int {
    var count = 0
    _ = try Self.replacing(filter) { value in
      switch value {
      case .number(_, let id):
        let held: Int64? = try db.value("SELECT id FROM post WHERE id = $1", [id])
        count += held == nil ? 1 : 0
      case .word(let name): count += name.hasPrefix("\(Self.elsewhere) ") ? 1 : 0
      default: break
      }
      return value
    }
    return count
  }

  private static func replacing(
    _ filter: TransferValue, _ value: (FilterValue) throws -> FilterValue
  ) rethrows -> TransferValue {
    guard let read = filter.text.flatMap({ try? Filter(parsing: $0) }) else { return filter }
    let new = try read.replacing(.like, value)
    return new == read ? filter : .text(new.description)
  }
}
