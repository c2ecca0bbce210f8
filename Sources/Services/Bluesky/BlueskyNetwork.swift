import HTTP
import Login
import Posts

extension Server {
  /// The entryway, through which most accounts of the network are reached (https://docs.bsky.app/docs/advanced-guides/entryway).
  static let bluesky = Server("https://bsky.social")
}

/// The servers of the network beside an account's own.
///
/// A server without TLS belongs to a network of its own, on the machine of whoever tries it (https://atproto.com/specs/did,
/// "Localhost"): it stands in for all others.
struct BlueskyNetwork: Sendable {
  /// The account's own server.
  let server: Server
  /// Shows everybody what is public.
  let publicView: Server
  /// Keeps the documents of accounts (https://web.plc.directory).
  let directory: Server
  /// Knows whose account a handle names.
  let resolver: Server
  /// Sends whoever asks for a file to the server that has it.
  let files: Server
  /// The origin of the pages on which people read posts.
  let pages: String

  /// The network of a server.
  init(of server: Server, _ directories: Directories = Directories()) {
    self.server = server
    let other = { (address: String) in server.isSecure ? Server(address) ?? server : server }
    publicView = other("https://public.api.bsky.app")
    directory = directories.documents ?? other("https://plc.directory")
    resolver = directories.handles ?? server
    files = other("https://bsky.social")
    pages = other("https://bsky.app").origin
  }

  /// Whether the server is one of those behind the entryway.
  var isBluesky: Bool { SourceDescriptor.bluesky.home?.owns(server) == true }

  /// The address of a method (https://atproto.com/specs/xrpc) at a server.
  static func address(of method: String, at server: Server, _ query: [(String, String)] = []) -> String {
    Request.address("\(server.origin)/xrpc/\(method)", query)
  }

  /// The address of an account's file (https://docs.bsky.app/docs/api/com-atproto-sync-get-blob).
  func file(_ cid: String, of did: String) -> String {
    "\(files.origin)/xrpc/com.atproto.sync.getBlob?did=\(did.replacing("%", with: "%25"))&cid=\(cid)"
  }
}
