import HTTP
import JSONReading
import Posts

/// Finds where older posts begin, from one answer alone.
enum InstagramPaging {
  /// The server's pages do not advance.
  struct Refusal: Error, Equatable {
    let reason: String
  }

  /// What follows a page: the cursor of that name in `pagination`, its older name, or the parameter of `next_url`,
  /// whose rest is ignored. Without any, the page is the last. Cursors are opaque: once numbers, later text.
  static func next(
    in body: [UInt8], after cursor: Cursor?, _ name: String, hiding token: Secret?
  ) throws(Refusal) -> Next {
    guard let pagination = JSONObject(body)?.object("pagination") else { return .end }
    let (url, older) = (pagination.string("next_url"), pagination.text("next_max_id"))
    let named = name == "max_tag_id" ? pagination.text("next_max_tag_id") ?? older : older
    guard let found = named ?? url.flatMap({ Request.parameter(name, of: $0) }) else {
      return url == nil ? .end : .refused(reason: "its next page cannot be named")
    }
    guard let found = Bounds.word(found, bytes: Bounds.id), !found.contains("://"),
      token?.isPart(of: found) != true
    else { return .refused(reason: "its next page cannot be named") }
    if found == cursor?.value { throw Refusal(reason: "its pages do not move on") }
    return .after(Cursor(found))
  }
}
