import HTTP
import Posts

extension SourceName {
  /// Flickr, and servers that speak its API.
  public static let flickr = SourceName(rawValue: "flickr")
}

extension SourceDescriptor {
  static let flickr = SourceDescriptor(
    .flickr, displayName: "Flickr", summary: "Flickr, and servers that speak its API",
    home: Home(Server.flickr, hosts: ["flickr.com", "flic.kr"]), pages: pages, hasPhrasesAsTags: true,
    SourceAPI(
      [.tag, .user, .search],
      bounds: SourceBounds(largestPage: FlickrSource.largestPage, mostLookedUp: FlickrSource.largestLookup),
      help: [
        .tag: "At Flickr, several tags with commas must all be there: cats,snow,-dogs.",
        .user: "At Flickr, !NAME is a group.",
      ], rates: .flickr,
      login: LoginService(FlickrLoginProvider.init, arguments: "--source flickr --client-id KEY"),
      make: FlickrSource.init),
    downloads: [.flickr], visibility: FlickrPhoto.visibility, said: FlickrPhoto.said)

  private static let pages = WebPages(
    tags: ["photos/tags/*"], users: ["photos/*", "people/*"],
    groups: ["groups/*", "groups/*/pool"], groupMark: FlickrSource.groupMark,
    posts: ["photos/*/#", "photos/*/#/in/*", "photos/*/#/sizes/*", "photos/*/#/lightbox", "p/#"],
    others: ["tags", "upload", "friends", "organize"], search: (["search"], "text")
  ) { path, id in
    if path.first == "p" { return ShortPhotoID.id(id) }
    return FlickrPhoto.isNumber(id) ? id : nil
  }
}

extension RateDialect {
  /// What a key has in an hour (https://www.flickr.com/services/developer/api). No answer states it.
  static let flickr = RateDialect(hourly: 3600)
}

// The addresses of Flickr, whose API has a host of its own.

extension Server {
  /// Flickr, by its canonical name.
  static let flickr = Server("flickr.com")

  /// Whether this is Flickr itself, and not another server that implements its API.
  private var isFlickr: Bool { SourceDescriptor.flickr.home?.owns(self) == true }

  /// The address of the API: that of Flickr's API host for Flickr itself, otherwise the server's.
  private var flickrAPI: String { "\(isFlickr ? "https://api.flickr.com" : origin)/services/rest/" }

  /// The base address of the web site.
  var flickrSite: String { isFlickr ? "https://www.flickr.com" : origin }

  /// The picture of an account (https://www.flickr.com/services/api/misc.buddyicons.html).
  func flickrIcon(of owner: String, server: String, farm: String) -> String {
    "\(isFlickr ? "https://farm\(farm).staticflickr.com" : origin)/\(server)/buddyicons/\(owner).jpg"
  }

  /// A request for a method of the API, with the key of an app. A signed request carries no key.
  func flickrRequest(_ method: String, _ query: [(String, String)], token: Secret?) -> Request {
    let form = [("method", "flickr.\(method)"), ("format", "json"), ("nojsoncallback", "1")]
    var request = Request(
      .get, Request.address(flickrAPI, form + query), headers: ["Accept": "application/json"], token: token,
      limit: Bounds.page)
    request.tokenPlacement = .query(fields: ["api_key"])
    return request
  }
}

/// The ids in short addresses, such as `flic.kr/p/2m4kX`: in base 58.
enum ShortPhotoID {
  private static let digits = Array("123456789abcdefghijkmnopqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ".utf8)

  /// The id; nil for another text.
  static func id(_ text: String) -> String? {
    guard (1...10).contains(text.utf8.count) else { return nil }
    var number = 0
    for byte in text.utf8 {
      guard let digit = digits.firstIndex(of: byte) else { return nil }
      number = number * digits.count + digit
    }
    return String(number)
  }
}
