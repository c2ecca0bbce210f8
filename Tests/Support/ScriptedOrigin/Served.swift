import Foundation
import HTTPTypes
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// A request's context with the socket, which troubles may close.
struct OriginContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  let channel: any Channel

  init(source: ApplicationRequestContextSource) {
    coreContext = .init(source: source)
    channel = source.channel
  }
}

/// A whole answer before it is sent.
struct Answer: Sendable {
  var status = 200
  var headers: [String: String] = ["Content-Type": "application/json; charset=utf-8"]
  var body: [UInt8] = []

  init(_ json: JSON, status: Int = 200) {
    self.status = status
    body = json.bytes
  }

  init(status: Int = 200, headers: [String: String], body: [UInt8]) {
    (self.status, self.headers, self.body) = (status, headers, body)
  }

  static func error(_ status: Int, _ words: String) -> Answer { Answer(["error": .text(words)], status: status) }
}

/// Connects the server, which must exist before its port is known, with the origin, whose address needs the port.
final class Served: Sendable {
  private let origin = Mutex<Origin?>(nil)

  func open(_ origin: Origin) { self.origin.withLock { $0 = origin } }

  func respond(to request: Request, _ context: OriginContext) async throws -> Response {
    guard let origin = origin.withLock({ $0 }) else { return Response(status: .serviceUnavailable) }
    let recorded = try await RecordedRequest(request, from: context.channel.remoteAddress?.ipAddress ?? "")
    let trouble = origin.receive(recorded)
    defer { origin.finish(recorded) }
    if case .slow(let delay) = trouble { try await Task.sleep(for: delay) }
    if case .held = trouble {
      while origin.isHeld(recorded.path) { try await Task.sleep(for: .milliseconds(10)) }
    }
    if case .closed = trouble {
      try await context.channel.close()
      throw CancellationError()
    }
    let answer = origin.answer(recorded, trouble)
    return Response(
      answer, cut: trouble?.cut, isHead: recorded.method == "HEAD",
      hangsUp: origin.script.hangsUp ? context.channel : nil)
  }
}

extension RecordedRequest {
  init(_ request: Request, from client: String) async throws {
    let buffer = try await request.body.collect(upTo: 1 << 20)
    let parts = URLComponents(string: request.head.path ?? "/")
    self.init(
      client: client, method: request.method.rawValue, path: parts?.path ?? "/",
      query: (parts?.queryItems ?? []).map { (name: $0.name, value: $0.value ?? "") },
      headers: Dictionary(request.headers.map { ($0.name.canonicalName, $0.value) }) { $1 },
      body: String(buffer: buffer))
  }
}

extension Trouble.Kind {
  var cut: Int? { if case .cut(let after) = self { after } else { nil } }
}

extension Response {
  init(_ answer: Answer, cut: Int?, isHead: Bool, hangsUp channel: (any Channel)?) {
    let bytes = ByteBuffer(bytes: answer.body.prefix(cut ?? answer.body.count))
    let body = ResponseBody(contentLength: answer.body.count) { writer in
      if !isHead { try await writer.write(bytes) }
      if cut != nil { throw CancellationError() }
      try await writer.finish(nil)
      try await channel?.close()
    }
    var fields = HTTPFields()
    for (name, value) in answer.headers {
      if let name = HTTPField.Name(name) { fields.append(HTTPField(name: name, value: value)) }
    }
    self.init(status: .init(code: answer.status), headers: fields, body: body)
  }
}
