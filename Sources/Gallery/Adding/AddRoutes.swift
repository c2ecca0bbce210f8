import Blobs
import Blocking
import FoundationEssentials
import HTTPTypes
import Hummingbird
import MediaLibrary

/// Adds posts by hand.
struct AddRoutes: Sendable {
  let parts: GalleryParts

  private struct Answer: Encodable { let id: Int64 }

  func add(to router: Router<GalleryContext>) {
    router.get("/add") { request, _ in
      Response(html: AddPage(fields: request.fields, isReadOnly: parts.isReadOnly).html)
    }
    router.write("/api/add") { request in Response(json: Answer(id: try await add(request))) }
  }

  private func add(_ request: Request) async throws -> Int64 {
    guard let boundary = Self.boundary(of: request.headers[.contentType] ?? "") else { throw UploadError.notAForm }
    // Said before anything is sent.
    if let length = request.headers[.contentLength].flatMap(Int.init), length > UploadError.Limits.bytes {
      throw UploadError.tooLarge
    }
    let upload = Upload(boundary: boundary, into: parts.library.blobs)
    let executor = BlockingExecutor("gallery.upload")
    do {
      for try await bytes in request.body {
        let bytes = Array(bytes.readableBytesView)
        try await executor.run { () throws(UploadError) in try upload.consume(bytes) }
      }
    } catch let error as UploadError {
      throw error
    } catch {
      throw UploadError.endedEarly
    }
    return try await executor.run { [library = parts.library, now = parts.now] in
      let (form, drafts, names) = try upload.finish()
      let post = try form.post(now: now(), hasFiles: !drafts.isEmpty)
      do { return try library.add(post, attaching: drafts, names: names) } catch let error as BlobError {
        throw UploadError.notKept(error)
      }
    }
  }

  /// The text between the parts of a form with files; nil for any other type.
  private static func boundary(of type: String) -> String? {
    guard type.lowercased().hasPrefix("multipart/form-data"),
      let start = type.lowercased().firstRange(of: "boundary=")?.upperBound
    else { return nil }
    let offset = type.lowercased().distance(from: type.lowercased().startIndex, to: start)
    let value = type.dropFirst(offset)
    let boundary =
      value.first == "\"" ? value.dropFirst().prefix { $0 != "\"" } : value.prefix { $0 != ";" && $0 != " " }
    return (1...70).contains(boundary.utf8.count) ? String(boundary) : nil
  }
}
