// The server of `media serve`, which replaces itself by this program:
//
//   media-serve --folder FOLDER --configuration FOLDER [--thumbnails BYTES] [--fold] [--text-languages LANGUAGES|off] [--program-version VERSION] OPTION-OF-MEDIA-SERVE ...
//
// It is a program of its own so that no other command carries a web server. Its arguments have no secrets: anybody on the
// machine can read them.

import Browse
import Derivatives
import FoundationEssentials
import Gallery
import Glibc
import HTTP
import Machine
import MediaLibrary
import Pictures
import Posts
import S3Blobs
import Terminal

@main struct MediaServe {
  static func main() async {
    signal(SIGPIPE, SIG_IGN)
    umask(0o077)
    guard let arguments = try? ServeArguments.parse() else {
      complain(
        "media-serve: a \"media serve\" of the same version starts this: install media whole with Scripts/install")
      exit(64)
    }
    do {
      let signIns = SignIns(folder: arguments.configuration, now: { Date() })
      let options = GalleryServer.Options(arguments.options)
      if arguments.options.newAddress {
        try say(try await signIns.newAddress(at: server(options, arguments)), arguments)
      } else if arguments.options.setPassword {
        try await signIns.setPassword(try HiddenInput.password())
        if !arguments.quiet { complain("The password is set. Every browser has to sign in again.", .info) }
      } else {
        try await serve(options, arguments, signIns)
      }
    } catch {
      complain("media: \(error)")
      exit((error as? any ExplainedError)?.exitCode.rawValue ?? 69)
    }
  }

  /// The library that "media serve" names: by a folder, and by an address if it has one.
  private static func library(in folder: String) throws -> Library {
    let environment = ProcessInfo.processInfo.environment
    guard let address = environment[LibraryAddress.variable].flatMap({ LibraryAddress($0) }),
      let blobs = try address.blobs.map({ try BlobAddress($0) })
    else { return try Library(in: folder) }
    let limits = Session.Limits(downloads: 16, requests: 16)
    return try Library(
      at: address,
      blobs: blobs.open {
        S3Environment(
          variables: environment,
          client: Session(agent: "media-serve", limits: limits, environment: environment).blockingClient,
          folder: "\(folder)/cache/s3")
      }, folder: folder)
  }

  /// The server of another one-time address: what was typed, else the gallery that is served.
  private static func server(_ options: GalleryServer.Options, _ arguments: ServeArguments) throws -> String {
    let typed = options.server(at: options.port)
    if arguments.options.namesAddress { return typed }
    let servers = RunningServers(folder: arguments.configuration)
    let running = servers.last(of: arguments.folder)
    if let running, running.serves(arguments.folder) { return running.address }
    // Without words, an address of another library would be taken for one of this.
    if arguments.quiet {
      if let other = servers.last(at: typed) { throw OtherLibraryServed(address: typed, library: other.library) }
      return typed
    }
    let words = running.map { "the address is that of \($0.library)" } ?? "the address counts once one is at that port"
    complain("media: no gallery of this library is served now: \(words)", .warning)
    return running?.address ?? typed
  }

  private static func serve(
    _ options: GalleryServer.Options, _ arguments: ServeArguments, _ signIns: SignIns
  ) async throws {
    var opened = try library(in: arguments.folder)
    // Who may only read sees no links.
    opened.foldsLists = arguments.fold && !options.isReadOnly
    opened.textLanguages = arguments.textLanguages.map { $0 == "off" ? "" : $0 }
    let library = opened
    var options = options
    options.isLibraryInEnvironment = ProcessInfo.processInfo.environment[LibraryAddress.variable] != nil
    options.metrics = arguments.options.metricsEndpoint.map { endpoint in
      (endpoint.address, endpoint.port, arguments.programVersion ?? "unknown")
    }
    options.keys = KeyTable.bindings.filter { !$0.isOnlyInTerminal }.map {
      .init(action: $0.action, group: $0.group, keys: $0.keys, shown: $0.shown, help: $0.helpInGallery)
    }
    let server = GalleryServer(
      options: options, library: library, derivatives: derivatives(of: library, upTo: arguments.thumbnails),
      direct: arguments.options.direct ? ((library.blobs as? PlacedBlobs)?.base as? S3Blobs).map(directReading) : nil,
      signIns: signIns, now: library.now,
      pause: { try await Task.sleep(for: $0) })
    let page = OpeningPage(folder: arguments.configuration)
    let running = RunningServers(folder: arguments.configuration)
    let manager = ServiceManager(ProcessInfo.processInfo.environment)
    // `ending` cancels it at a signal, and it is awaited below.
    let work = Task {
      async let _: Void = manager.stayAlive { try await Task.sleep(for: $0) }
      try await server.run { address, _ in
        running.add(address, of: arguments.folder)
        try say(try await signIns.newAddress(at: address), arguments)
        if arguments.options.open { page.open(try await signIns.newAddress(at: address)) }
        if !arguments.quiet { complain("Ctrl-C ends it.", .info) }
        manager.notify(.ready, .status("The gallery is at \(address)"))
      }
    }
    let ending = Ending(cancelling: work, telling: manager) { library.close() }
    let result = await work.result
    page.remove()
    running.remove()
    library.close()
    if let code = ending.code { exit(code) }
    try result.get()
  }

  private static func say(_ address: String, _ arguments: ServeArguments) throws {
    print(arguments.json ? "{\"url\":\"\(address)\"}" : address)
    fflush(nil)
  }
}

/// Another library is served where this one's address would lead.
private struct OtherLibraryServed: ExplainedError {
  let address: String
  let library: String

  var summary: String { "\(address) serves another library, \(library), and no gallery of this one is served now" }
  var cure: String? { "serve it, or name the port at which it will be with --port" }
  var exitCode: Posts.ExitCode { .unavailable }
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
    clocks: .init(now: { Date() }, instant: { .now }, sleep: { try await Task.sleep(for: $0) }),
    notice: { complain($0, .warning) })
}

/// Where browsers read large files of a library whose blobs are in a service.
private func directReading(from blobs: S3Blobs) -> DirectReading {
  DirectReading(
    origin: { try? blobs.origin() },
    address: { try blobs.address(of: $0, contentType: $1, disposition: $2, for: $3) })
}

/// A line for the person at the terminal, or for the journal.
func complain(_ line: String, _ priority: Journal.Priority = .error) {
  let (text, named) = (SafeText(line).text, ProcessInfo.processInfo.environment["JOURNAL_STREAM"])
  let isJournal = Journal.isReached(by: STDERR_FILENO, named: named)
  let bytes = Array("\(isJournal ? Journal.lines(text, priority) : text)\n".utf8)
  _ = write(STDERR_FILENO, bytes, bytes.count)
}
