import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func importStatus(of items: [ImportItem]) throws(StorageError) -> [ImportStatus] {
    try below.importStatus(of: items.map(\.copy)).map { ImportStatus(isKnown: $0.isKnown, missing: $0.missing) }
  }

  public func save(_ items: [ImportItem], of feed: Feed, now: Date) throws(StorageError) -> Imported {
    try below.save(items.map(\.copy), of: feed, now: now).copy
  }

  public func delete(feed: Feed, now: Date) throws(StorageError) -> Deletion {
    try below.delete(feed: feed, now: now).copy
  }

  public func restore(feed: Feed, now: Date) throws(StorageError) -> Deletion {
    try below.restore(feed: feed, now: now).copy
  }
}

extension ImportItem {
  fileprivate var copy: ImportItem {
    ImportItem(item, pictures: pictures, replaces: replaces, isFoundByPicture: isFoundByPicture)
  }
}

extension Imported {
  fileprivate var copy: Imported {
    var copy = Imported()
    (copy.new, copy.updated, copy.unchanged) = (new, updated, unchanged)
    (copy.deleted, copy.unreadable, copy.pictures) = (deleted, unreadable, pictures)
    return copy
  }
}
