import HTTP
import JSONReading
import Posts

/// An account as the directory has it.
struct BlueskyAccount {
  let did: String
  /// Its handle; the DID if its document does not name the handle that led to it.
  let handle: String
  /// The server that has it.
  let home: Server
}

/// Finds the server of an account: its handle leads to its DID (https://atproto.com/specs/handle), and that to a document
/// with the server's address (https://atproto.com/specs/did). All answers are untrusted. No login is sent along.
struct BlueskyDirectory {
  let network: BlueskyNetwork
  let transport: Transport
  /// The origin of the server that named the account; nil for the network's.
  var referrer: String?
  /// Whether an answer is not waited for beyond one try.
  var isTriedOnce = false

  /// The account of a handle or a DID; nil if it is not found.
  func account(named name: String) async -> BlueskyAccount? {
    let found = BlueskyURI.isDID(name) ? name : await did(of: name)
    guard let did = found, let document = await document(of: did), document.string("id") == did,
      let home = Self.server(in: document)
    else { return nil }
    let isNamed = document.list("alsoKnownAs", most: 50).contains { $0.string == "at://\(name)" }
    return BlueskyAccount(did: did, handle: isNamed ? name : did, home: home)
  }

  /// The account that a handle names, as the account's server says, else as the handle's host does.
  private func did(of handle: String) async -> String? {
    let method = BlueskyNetwork.address(
      of: "com.atproto.identity.resolveHandle", at: network.resolver, [("handle", handle)])
    let said = await answer(method).flatMap { JSONObject($0)?.string("did") }
    if let said { return BlueskyURI.isDID(said) ? said : nil }
    guard network.server.isSecure, let host = Server(handle),
      let text = await answer("\(host.origin)/.well-known/atproto-did")
    else { return nil }
    let did = String(decoding: text, as: UTF8.self).trimmingWhiteSpace
    return BlueskyURI.isDID(did) ? did : nil
  }

  private func document(of did: String) async -> JSONObject? {
    let parts = did.split(separator: ":", omittingEmptySubsequences: false)
    switch parts.count == 3 ? parts[1] : "" {
    case "plc": return await answer("\(network.directory.origin)/\(did)").flatMap { JSONObject($0) }
    case "web":
      let name = String(parts[2]).percentDecoded ?? ""
      guard let host = Server(network.server.isSecure ? name : "http://\(name)") else { return nil }
      return await answer("\(host.origin)/.well-known/did.json").flatMap { JSONObject($0) }
    default: return nil
    }
  }

  /// The server that a document names as the one of the account's posts.
  private static func server(in document: JSONObject) -> Server? {
    let services = document.objects("service", most: 50)
    let home = services.first { $0.string("id")?.hasSuffix("#atproto_pds") == true }
    return home?.string("serviceEndpoint").flatMap { Bounds.webAddress($0) }.flatMap { Server($0) }
  }

  /// The body of a good answer. A document may lead to any server, but not into the private network.
  private func answer(_ address: String) async -> [UInt8]? {
    var request = Request(.get, address, limit: 64 << 10, redirects: .anywhere)
    request.referrer = referrer ?? network.server.origin
    request.isTriedOnce = isTriedOnce
    (request.patience, request.time) = (.seconds(10), .seconds(20))
    guard let response = try? await transport.send(request), response.status == 200 else { return nil }
    return response.body
  }
}
