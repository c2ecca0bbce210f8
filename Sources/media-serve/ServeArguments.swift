import ArgumentParser
import Gallery
import Serving

/// The arguments of this program: those of `media serve` as they were typed, and what `media` found out for it.
struct ServeArguments: ParsableArguments {
  @Option(help: "The library's folder.") var folder: String
  @Option(help: "The folder of sign-ins.") var configuration: String
  @Option(help: "The version of media.") var programVersion: String?
  @Option(help: "The disk limit of thumbnails in bytes.") var thumbnails: Int?
  @Flag(help: "Whether lists show posts that are the same at several networks once.") var fold = false
  @Option(help: "The languages in which text in pictures is read; off if none is.") var textLanguages: String?

  @OptionGroup var options: ServeOptions
  @Flag var json = false
  @Flag(name: [.short, .long]) var quiet = false
  @Flag(name: [.short, .long]) var verbose = false

  /// What every command takes, and this program does not need.
  @Argument(parsing: .allUnrecognized) var others: [String] = []
}

extension GalleryServer.Options {
  /// What the typed options ask for.
  init(_ typed: ServeOptions) {
    self.init(
      port: typed.chosenPort, isReadOnly: typed.readOnly, address: typed.listen, hosts: typed.host,
      isBehindProxy: typed.behindProxy)
    if let certificate = typed.cert, let key = typed.key { tls = CertificateFiles(certificate: certificate, key: key) }
  }
}
