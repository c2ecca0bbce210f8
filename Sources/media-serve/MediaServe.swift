// The server of `media serve`, which replaces itself by this program:
//
//   media-serve NAME=VALUE ... FLAG ...
//
// It is a program of its own so that no other command carries a web server. Its arguments have no secrets: anybody on the
// machine can read them.

import Browse
import Derivatives
import FoundationEssentials
import Gallery
import Glibc
import HTTP
import MediaLibrary
import Pictures
import Posts
import S3Blobs
import Terminal

@main struct MediaServe {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    guard let words = Words(CommandLine.arguments.dropFirst()) else {
      complain(
        "media-serve: a \"media serve\" of the same version starts this: install media whole with Scripts/install")
      exit(64)
    }
    do {
      let signIns = SignIns(folder: words.configuration, now: { Date() })
      switch words.task {
      case .serve: try await serve(words, signIns)
      case .newAddress:
        try say(try await signIns.newAddress(at: words.options.server(at: words.options.port)), words)
      case .setPassword:
        try await signIns.setPassword(try HiddenInput.password())
        if !words.isQuiet { complain("The password is set. Every browser has to sign in again.") }
      }
    } catch {
      complain("media: \(error)")
      exit((error as? any ExplainedError)?.exitCode.rawValue ?? 69)
    }
  }

  /// The library that "media serve" names: by a folder, and by an address if it has one.
  private static func library(_ words: Words) throws -> Library {
    let environment = ProcessInfo.processInfo.environment
    guard let address = environment[LibraryAddress.variable].flatMap({ LibraryAddress($0) }),
      let blobs = try address.blobs.map({ try BlobAddress($0) })
    else { return try Library(in: words.folder) }
    let limits = Session.Limits(downloads: 16, requests: 16)
    return try Library(
      at: address,
      blobs: blobs.open {
        S3Surroundings(
          environment: environment,
          client: Session(agent: "media-serve", limits: limits, environment: environment).blockingClient,
          folder: "\(words.folder)/cache/s3")
      }, folder: words.folder)
  }

  private static func serve(_ words: Words, _ signIns: SignIns) async throws {
    let library = try library(words)
    var options = words.options
    options.isLibraryInEnvironment = ProcessInfo.processInfo.environment[LibraryAddress.variable] != nil
    options.keys = KeyTable.bindings.map {
      .init(action: $0.action, keys: $0.keys, shown: $0.shown, help: $0.helpInGallery)
    }
    let server = GalleryServer(
      options: options, library: library, derivatives: derivatives(of: library, upTo: words.thumbnails),
      direct: words.isDirect ? ((library.blobs as? PlacedBlobs)?.base as? S3Blobs).map(directReading) : nil,
      signIns: signIns, now: library.now,
      pause: { try await Task.sleep(for: $0) })
    let page = OpeningPage(folder: words.configuration)
    // `ending` cancels it at a signal, and it is awaited below.
    let work = Task {
      try await server.run { address, _ in
        try say(try await signIns.newAddress(at: address), words)
        if words.opens { page.open(try await signIns.newAddress(at: address)) }
        if !words.isQuiet { complain("Ctrl-C ends it.") }
      }
    }
    let ending = Ending(cancelling: work) { library.close() }
    let result = await work.result
    page.remove()
    library.close()
    if let code = ending.code { exit(code) }
    try result.get()
  }

  private static func say(_ address: String, _ words: Words) throws {
    print(words.isJSON ? "{\"url\":\"\(address)\"}" : address)
    fflush(nil)
  }
}

/// The small pictures of a library's pictures, made by as many children as there are processors. Without the program that
/// makes them, each tile says so.
private func derivatives(of library: Library, upTo limit: Int?) -> Derivatives {
  let environment = ProcessInfo.processInfo.environment
  return Derivatives(
    blobs: library.blobs,
    cache: ThumbnailCache(library: library.folder, limit: limit ?? ThumbnailCache.standardLimit) { Date() },
    configuration: .init(
      program: (try? PictureProgram.find(environment)) ?? PictureProgram.name, environment: environment,
      children: max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))),
    clocks: .init(now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(for: $0) }), notice: complain)
}

/// Where browsers read large files of a library whose blobs are in a service.
private func directReading(from blobs: S3Blobs) -> DirectReading {
  DirectReading(
    origin: { try? blobs.origin() },
    address: { try blobs.address(of: $0, contentType: $1, disposition: $2, for: $3) })
}

/// A line for the person at the terminal.
func complain(_ line: String) {
  let bytes = Array("\(SafeText(line).text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
