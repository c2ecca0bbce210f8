import Blobs
import Foundation
import Posts
import Storage

// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension RelayedStore {
  public func picture(ofAttachment id: Int64) throws(StorageError) -> AttachmentPicture? {
    try below.picture(ofAttachment: id)?.copy
  }

  public func raw(ofPost post: Int64) throws(StorageError) -> [UInt8]? { try below.raw(ofPost: post) }

  public func blob(_ id: BlobID) throws(StorageError) -> StoredBlob? { try below.blob(id).map(\.copy) }

  public func missingPictures(ofPosts posts: [Int64]) throws(StorageError) -> [Finding] {
    try below.missingPictures(ofPosts: posts).map(\.copy)
  }

  public func missingPictures(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try below.missingPictures(of: feed, which, now: now).map(\.copy)
  }

  public func hasUntriedPictures(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try below.hasUntriedPictures(of: feed, now: now)
  }

  public func countOfMissingPictures(of feed: Feed, now: Date) throws(StorageError) -> Int {
    try below.countOfMissingPictures(of: feed, now: now)
  }

  public func countsOfMissingPictures(
    _ which: MissingPictures, of feed: Feed?, now: Date
  ) throws(StorageError) -> [String: Int] {
    try below.countsOfMissingPictures(which, of: feed, now: now)
  }

  public func countOfMissingPictures() throws(StorageError) -> Int { try below.countOfMissingPictures() }

  public func missingAvatars(
    of feed: Feed, _ which: MissingPictures, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try below.missingAvatars(of: feed, which, now: now).map(\.copy)
  }

  public func pictures(
    ofPosts posts: [Int64], retryFailed: Bool, gone: Bool?, skipped: Bool, now: Date
  ) throws(StorageError) -> [PictureTask] {
    try below.pictures(ofPosts: posts, retryFailed: retryFailed, gone: gone, skipped: skipped, now: now).map(\.copy)
  }

  public func duePictures(limit: Int, now: Date) throws(StorageError) -> [PictureTask] {
    try below.duePictures(limit: limit, now: now).map(\.copy)
  }

  public func avatars(ofPosts posts: [Int64], retryFailed: Bool, now: Date) throws(StorageError) -> [PictureTask] {
    try below.avatars(ofPosts: posts, retryFailed: retryFailed, now: now).map(\.copy)
  }

  public func attach(_ pictures: [(task: PictureTask, blob: StoredBlob)], now: Date) throws(StorageError) {
    try below.attach(pictures.map { ($0.task.copy, $0.blob) }, now: now)
  }

  public func fail(_ failures: [PictureFailure], now: Date) throws(StorageError) -> Int {
    try below.fail(failures, now: now)
  }

  public func putOff(_ delays: [PictureDelay], now: Date) throws(StorageError) { try below.putOff(delays, now: now) }

  public func wantsPicturesAgain(of feed: Feed, now: Date) throws(StorageError) -> Bool {
    try below.wantsPicturesAgain(of: feed, now: now)
  }

  public func useAvatars(ofPosts posts: [Int64], now: Date) throws(StorageError) {
    try below.useAvatars(ofPosts: posts, now: now)
  }

  public func awaitsVisibilities() throws(StorageError) -> Bool { try below.awaitsVisibilities() }

  public func readVisibilities(
    atMost limit: Int, _ visibility: (StoredAnswer) -> Visibility?
  ) throws(StorageError) -> VisibilityProgress? {
    try below.readVisibilities(atMost: limit) {
      visibility(StoredAnswer(source: $0.source, body: $0.body, addresses: $0.addresses))
    }.map { VisibilityProgress(done: $0.done, all: $0.all) }
  }

  public func state() throws(StorageError) -> StoreState {
    let state = try below.state()
    return StoreState(version: state.version, changes: state.changes, blobs: state.blobs)
  }

  public func copy(to folder: String, onStep: (Int, Int) -> Void) throws(StorageError) -> StoreState {
    try below.copy(to: folder, onStep: onStep)
  }

  public func blobs(after last: BlobID?, limit: Int) throws(StorageError) -> [StoredBlob] {
    try below.blobs(after: last, limit: limit).map(\.copy)
  }

  public func awaitsWords() throws(StorageError) -> Bool { try below.awaitsWords() }

  public func readWords(atMost limit: Int) throws(StorageError) -> Bool { try below.readWords(atMost: limit) }

  public func isShown(_ blob: BlobID) throws(StorageError) -> Bool { try below.isShown(blob) }
}
