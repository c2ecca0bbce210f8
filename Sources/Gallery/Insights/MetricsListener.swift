import Copies
import HTTPTypes
import Hummingbird
import LibraryMetrics
import MediaLibrary

/// What Prometheus collects of a gallery's library, at an address of its own: whoever collects numbers sees no posts.
struct MetricsListener {
  let parts: GalleryParts
  let version: String

  /// The answers at `/metrics`.
  var responder: RouterResponder<GalleryContext> {
    let router = Router(context: GalleryContext.self, options: .autoGenerateHeadEndpoints)
    router.add(middleware: ErrorAnswers())
    let hosts = AllowedHosts(added: [], isSecure: false, isBehindProxy: false)
    router.add(middleware: RequestChecks(hosts: hosts, isReadOnly: true))
    router.get("/metrics") { [parts, version] request, _ in
      let form = MetricsForm(accepted: request.headers[.accept])
      let text = try await parts.read { library in
        let waiting = try CopyMarks(in: library.folder).waiting(in: library.store).map(\.count)
        return form.text(
          of: try [Metric](of: library.store, folder: library.folder, version: version, waiting: waiting))
      }
      return Response(
        status: .ok, headers: [.contentType: form.contentType, .cacheControl: "no-store"],
        body: .init(byteBuffer: .init(string: text)))
    }
    return router.buildResponder()
  }
}
