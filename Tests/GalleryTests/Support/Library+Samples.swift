import MediaLibrary
import Posts
import Testing

extension Library {
  /// Saves a post of a server, with a stored file.
  ///
  /// - Returns: Its number.
  @discardableResult
  func save(_ post: Post, with bytes: [UInt8]) throws -> Int64 {
    let draft = try blobs.draft()
    try bytes.withUnsafeBytes { try draft.write($0) }
    let file = try #require(try files([draft], names: []).first)
    var post = post
    post.attachments = [Attachment(kind: file.attachment.kind, url: "https://photos.example/file")]
    try save([post], of: kittens)
    let id = try #require(try store.posts().first { $0.uri == post.uri }?.id)
    let task = try #require(try store.pictures(ofPosts: [id], now: post.createdAt).first)
    try store.attach([(task: task, blob: file.blob)], now: post.createdAt)
    return id
  }
}
