import Gallery

/// What `media serve` asks for.
struct Words {
  enum Task { case serve, newAddress, setPassword }

  var task = Task.serve
  private(set) var folder = ""
  private(set) var configuration = ""
  private(set) var options = GalleryServer.Options()
  /// Whether browsers read large files from the service that has them.
  private(set) var isDirect = false
  private(set) var opens = false
  private(set) var isJSON = false
  private(set) var isQuiet = false
  /// The disk limit of thumbnails in bytes; nil for the standard one.
  private(set) var thumbnails: Int?
  private var certificate: String?
  private var key: String?

  /// Returns nil if `media` would not pass these arguments.
  init?(_ words: ArraySlice<String>) {
    for word in words {
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      guard parts.count == 2 ? set(parts[0], parts[1]) : set(word) else { return nil }
    }
    guard !folder.isEmpty, !configuration.isEmpty, (certificate == nil) == (key == nil) else { return nil }
    if let certificate, let key { options.tls = CertificateFiles(certificate: certificate, key: key) }
  }

  private mutating func set(_ name: String, _ value: String) -> Bool {
    switch name {
    case "library": folder = value
    case "configuration": configuration = value
    case "listen": options.address = value
    case "host": options.hosts.append(value)
    case "cert": certificate = value
    case "key": key = value
    case "thumbnails":
      guard let limit = Int(value), limit >= 0 else { return false }
      thumbnails = limit
    case "port":
      guard let port = Int(value), (0...65_535).contains(port) else { return false }
      options.port = port
    default: return false
    }
    return true
  }

  private mutating func set(_ flag: String) -> Bool {
    switch flag {
    case "read-only": options.isReadOnly = true
    case "behind-proxy": options.isBehindProxy = true
    case "direct": isDirect = true
    case "open": opens = true
    case "json": isJSON = true
    case "quiet": isQuiet = true
    case "new-address": task = .newAddress
    case "set-password": task = .setPassword
    default: return false
    }
    return true
  }
}
