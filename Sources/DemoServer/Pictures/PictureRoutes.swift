import HTTPTypes
import Hummingbird

/// Pictures, portraits and the emoji, drawn at the first request.
struct PictureRoutes {
  let serverState: ServerState

  func add(to router: Router<DemoContext>) {
    router.get("/media/:id/:size/:name") { request, context in
      let size = try context.parameters.require("size")
      guard ["original", "small"].contains(size), let art = Art(name: try context.parameters.require("name")) else {
        throw HTTPError(.notFound)
      }
      return try await answer(request, .art(art, size == "small" ? .preview : .whole))
    }
    router.get("/avatars/:name") { request, context in
      let name = try context.parameters.require("name")
      guard name.hasSuffix(".png"), let person = Person.with(id: String(name.dropLast(4))) else {
        throw HTTPError(.notFound)
      }
      return try await answer(request, .avatar(person.avatar.index))
    }
    router.get("/emoji/\(Emoji.shortcode).png") { request, _ in
      try await answer(request, .emoji)
    }
  }

  func answer(_ request: Request, _ subject: Subject) async throws -> Response {
    let now = serverState.now()
    let limit = try serverState.pictures?.withLock { try $0.record(at: now) }
    var answer = try await picture(request, subject)
    for field in limit ?? [:] { answer.headers[field.name] = field.value }
    return answer
  }

  private func picture(_ request: Request, _ subject: Subject) async throws -> Response {
    let finished = try await serverState.studio.picture(of: subject)
    let bytes = finished.picture.bytes
    var headers: HTTPFields = [
      .contentType: finished.picture.format.contentType, .eTag: finished.tag, .acceptRanges: "bytes",
      .cacheControl: "public, max-age=86400, immutable", .xContentTypeOptions: "nosniff",
    ]
    if request.headers[.ifNoneMatch] == finished.tag { return Response(status: .notModified, headers: headers) }
    guard let wanted = request.headers[.range].flatMap({ ByteRange($0, of: bytes.count) }) else {
      return Response(status: .ok, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
    guard case .part(let part) = wanted else {
      headers[.contentRange] = "bytes */\(bytes.count)"
      return Response(status: .rangeNotSatisfiable, headers: headers)
    }
    headers[.contentRange] = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(bytes.count)"
    let body = ResponseBody(byteBuffer: ByteBuffer(bytes: bytes[part]))
    return Response(status: .partialContent, headers: headers, body: body)
  }
}

/// The range of a `Range` header (RFC 9110 section 14.1.2) with one range; nil for anything else, which a server may answer
/// with the whole.
enum ByteRange: Equatable {
  case part(Range<Int>)
  case outside

  init?(_ header: String, of length: Int) {
    guard header.hasPrefix("bytes="), !header.contains(",") else { return nil }
    let ends = header.dropFirst(6).split(separator: "-", omittingEmptySubsequences: false).map(String.init)
    guard ends.count == 2 else { return nil }
    switch (Int(ends[0]), Int(ends[1])) {
    case (let first?, let last?) where first >= 0 && first <= last:
      self = first < length ? .part(first..<min(last, length - 1) + 1) : .outside
    case (let first?, nil) where ends[1].isEmpty && first >= 0:
      self = first < length ? .part(first..<length) : .outside
    case (nil, let tail?) where ends[0].isEmpty && tail >= 0:
      self = tail > 0 && length > 0 ? .part(max(length - tail, 0)..<length) : .outside
    default: return nil
    }
  }
}
