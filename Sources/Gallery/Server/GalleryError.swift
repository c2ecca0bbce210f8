import Glibc
import HTTP
import NIOCore
import Posts

/// Why the gallery cannot be served.
package enum GalleryError: ExplainedError, Equatable {
  /// Another program listens on the port.
  case portTaken(Int)
  /// The system keeps the port for others.
  case portForbidden(Int)
  /// The machine does not have the address.
  case noSuchAddress(String)
  /// The system refuses to listen, with its reason.
  case cannotListen(String)
  /// A file holds no certificate, or no key.
  case badCertificate(String)
  /// The file of the certificate or of the key does not exist.
  case noFile(String)
  /// The certificate and the key do not go together.
  case otherKey
  /// Others could reach the gallery, and no password is set.
  case noPassword
  /// A text cannot be a password.
  case unfitPassword(PasswordHash.Trouble)
  /// The file of sign-ins does not have the form that `media` writes.
  case unreadableSignIns(String)
  /// A newer version wrote the file of sign-ins.
  case newerSignIns(String)

  init(_ error: IOError, host: String, port: Int) {
    self =
      switch error.errnoCode {
      case EADDRINUSE: .portTaken(port)
      case EACCES: .portForbidden(port)
      case EADDRNOTAVAIL: .noSuchAddress(host)
      default: .cannotListen(String(cString: strerror(error.errnoCode)))
      }
  }

  package var summary: String {
    switch self {
    case .portTaken(let port): "port \(port) is taken by another program"
    case .portForbidden(let port): "port \(port) is not open to ordinary users"
    case .noSuchAddress(let address): "this machine does not have the address \(address)"
    case .cannotListen(let reason): "the gallery cannot listen (\(reason))"
    case .noFile(let path): "there is no \(path)"
    case .badCertificate(let path): "\(path) cannot be read as PEM"
    case .otherKey: "the certificate and the key do not go together"
    case .noPassword: "others on the network could reach the gallery, and no password is set"
    case .unfitPassword(let trouble): trouble.words
    case .unreadableSignIns(let path): "\(path) is not in the form that media writes"
    case .newerSignIns(let path): "\(path) was written by a newer media"
    }
  }
  package var cure: String? {
    switch self {
    case .portTaken(let port):
      "choose another one with --port, 0 for any free one; \"ss -ltnp 'sport = :\(port)'\" shows which program it is"
    case .portForbidden: "choose another one with --port, 0 for any free one"
    case .noSuchAddress: "\"ip address\" lists those that it has"
    case .cannotListen: nil
    case .noFile: "check how it is spelt"
    case .badCertificate: "--cert takes a file of certificates, --key one of an unencrypted key"
    case .otherKey: "name the key that the certificate was made for"
    case .noPassword: "set one with \"media serve --set-password\""
    case .unfitPassword: PasswordHash.Trouble.cure
    case .unreadableSignIns: "remove it, and sign in again"
    case .newerSignIns: "install the newer version"
    }
  }
  package var exitCode: Posts.ExitCode {
    switch self {
    case .portTaken, .portForbidden, .noSuchAddress, .cannotListen: .unavailable
    case .badCertificate, .otherKey, .noPassword, .unfitPassword: .usage
    case .noFile: .storage
    case .unreadableSignIns, .newerSignIns: .configuration
    }
  }
}
