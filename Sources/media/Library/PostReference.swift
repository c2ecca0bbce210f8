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
      let sources = Catalogue.entries.map(\.name)
      for spelling in Self.spellings(address) {
        if let id = try store.post(at: spelling, of: sources) { return id }
      }
      throw UsageError(
        "no post of the library has the address \(Feed.spoken(address))",
        cure: "\"media list\" shows the posts and their ids")
    }
  }

  /// An address, and what it is without what browsers and programs for Mastodon add, the likeliest first.
  private static func spellings(_ address: String) -> [String] {
    let whole = String(address.prefix { $0 != "#" })
    // At other places the query tells one post from another.
    let isOfSocial = ["/@", "/p/", "/status/", "/statuses/", "/notes/"].contains(where: whole.contains)
    let bare = isOfSocial ? String(whole.prefix { $0 != "?" }) : whole
    let plain = bare.last == "/" ? String(bare.dropLast()) : bare
    var all = [address, whole, bare, plain]
    // https://host/deck/@user/1
    let parts = plain.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
    if parts.count == 4, ["deck/", "web/"].contains(where: parts[3].hasPrefix) {
      all.append((parts.prefix(3) + [parts[3].drop { $0 != "/" }.dropFirst()]).joined(separator: "/"))
    }
    return all
  }
}
