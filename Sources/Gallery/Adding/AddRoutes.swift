import Blobs
import FoundationEssentials
import HTTPTypes
import Hummingbird
import Machine
import MediaLibrary
import Storage

/// Adds and changes posts made by hand.
struct AddRoutes: Sendable {
  let parts: GalleryParts

  func add(to router: Router<GalleryContext>) {
    router.get("/add") { request, _ in
      parts.page(AddPage(fields: request.fields, isReadOnly: parts.isReadOnly, now: parts.now()).html)
    }
    router.get("/post/:id/edit") { _, context in
      let id = try context.number("id")
      let now = parts.now()
      let page = try await parts.read { [isReadOnly = parts.isReadOnly] library in
        guard let post = try library.store.post(id)?.post else { throw RequestError.noPost(id) }
        return try EditPage(post, isReadOnly: isReadOnly, now: now).html
      }
      return parts.page(page)
    }
    router.post("/api/add") { request, _ in
      let id = try await receive(request) { form, drafts, names in
        let post = try form.post(now: parts.now(), hasFiles: !drafts.isEmpty)
        return try parts.library.add(post, attaching: drafts, names: names)
      }
      return Response(json: ["id": id])
    }
    router.post("/api/edit") { request, _ in
      Response(json: ["id": try await receive(request, use: edit)])
    }
  }

  private func edit(_ form: AddForm, _ drafts: [any BlobReceiving], _ names: [String?]) throws -> Int64 {
    let id = try form.number
    guard let post = try parts.library.store.post(id)?.post else { throw RequestError.noPost(id) }
    var edit = try form.edit(of: post)
    edit.added = try parts.library.files(drafts, names: names)
    try parts.library.store.edit(id, edit, now: parts.now())
    return id
  }

  /// Reads a form with files, and uses it.
  private func receive(
    _ request: Request, use: @escaping @Sendable (AddForm, [any BlobReceiving], [String?]) throws -> Int64
  ) async throws -> Int64 {
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
    return try await executor.run {
      let (form, drafts, names) = try upload.finish()
      do { return try use(form, drafts, names) } catch let error as BlobError { throw UploadError.notKept(error) }
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
