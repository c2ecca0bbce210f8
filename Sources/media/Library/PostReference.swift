import ArgumentParser
import Posts
import Services
import Storage

/// A post as people name it: by its number in the library, or by its web address.
enum PostReference: ExpressibleByArgument {
  case number(Int64)
  case address(String)

  /// Nil for anything else.
  init?(argument: String) {
    if let number = Int64(argument) {
      self = .number(number)
    } else if argument.hasPrefix("http://") || argument.hasPrefix("https://") {
      self = .address(argument)
    } else {
      return nil
    }
  }

  /// The post's number.
  func id(in store: Store) throws -> Int64 {
    switch self {
    case .number(let id): return id
    case .address(let address):
      if let id = try store.post(at: address, of: Catalogue.entries.map(\.name)) { return id }
      throw UsageError(
        "no post of the library has the address \(Feed.spoken(address))",
        cure: "\"media list\" shows the posts and their ids")
    }
  }
}
