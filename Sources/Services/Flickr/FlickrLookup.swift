import JSONReading
import Posts

// Looks photos up one at a time, and their files by a request of their own.

extension FlickrSource {
  /// Each is two requests, of which a key has 3,600 in an hour.
  public var mostLookedUp: Int? { Self.largestLookup }

  /// Looks up these photos. One that Flickr does not find is gone, and so is one that its owner no longer shows to the caller;
  /// one that it may not show stays undecided.
  public func lookUp(_ ids: [String]) async throws(SourceError) -> LookupResult {
    var looked = LookupResult()
    for id in ids where FlickrPhoto.isNumber(id) {
      do {
        let body = try await answer(to: "photos.getInfo", [("photo_id", id)], "photo \(id)")
        looked.append(try await items(of: id, in: body), requested: [id])
      } catch {
        switch error {
        case .notFound: looked.gone.append(id)
        case .forbidden: break
        default: throw error
        }
      }
    }
    return looked
  }

  private func items(of id: String, in body: [UInt8]) async throws(SourceError) -> [PageItem] {
    guard let range = try? JSONSlices.member("photo", in: body) else {
      throw .unreadable(server, reason: "it is not a photo")
    }
    var items = try await items(at: [range], in: body)
    guard var post = items[0].post else { return items }
    let isVideo = post.attachments.first?.kind == .video
    if let file = try await file(of: id, isVideo: isVideo) {
      (post.attachments, post.listsAttachments) = ([file.attachment], true)
    } else {
      post.listsAttachments = false
    }
    items[0].content = .post(post)
    return items
  }
}
