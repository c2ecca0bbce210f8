/// Bridgy Fed, which shows the posts of one network in another. A copy names its original (https://fed.brid.gy/docs).
enum Bridge {
  /// The original of a post that ActivityPub knows by an identity; nil if no bridge made the post.
  static func original(ofActivity identity: String) -> String? {
    let copies = "https://bsky.brid.gy/convert/ap/"
    guard identity.utf8.starts(with: copies.utf8) else { return nil }
    return BlueskyURI(String(identity.dropFirst(copies.count)))?.text
  }

  /// The original of a post at Bluesky; nil if no bridge made the post.
  ///
  /// - Parameters:
  ///   - address: What the post says. Anybody may write the field.
  ///   - handle: The handle of its author, which servers prove. Only the bridge gives its accounts such handles.
  static func original(named address: String?, by handle: String?) -> String? {
    guard let address, let handle, handle.hasSuffix(".brid.gy") else { return nil }
    return Bounds.webAddress(address)
  }
}
