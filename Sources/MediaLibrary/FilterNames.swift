import Filters
import Posts
import Storage

extension Store {
  /// The names that the library has for a key of filters; none for a key that takes no names.
  ///
  /// - Parameters:
  ///   - key: The key.
  ///   - beginning: How they begin, where there may be more of them than can be offered.
  /// - Throws: `StorageError` if they cannot be read.
  package func names(of key: FilterKey, beginningWith beginning: String) throws -> [String] {
    switch key {
    case .tag: try tagNames(beginningWith: beginning, limit: FilterCompletion.mostOffers)
    case .own: try ownTags(beginningWith: beginning, limit: FilterCompletion.mostOffers)
    case .album: try albumNames()
    case .saved: try savedSearches().map(\.name)
    case .by: try authorHandles(beginningWith: beginning, limit: FilterCompletion.mostOffers)
    case .feed: try feeds().map(\.name)
    case .server: Set(try feeds().map(\.server.name)).sorted()
    case .source: Set(try feeds().map(\.source.rawValue) + [SourceName.manual.rawValue]).sorted()
    default: []
    }
  }
}
