import HummingbirdCore
import Logging
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1
import NIOWebSocket
import Web

/// Connections of HTTP/1.1 whose first request may turn them into a WebSocket (RFC 6455), on which the server speaks.
struct WebSocketChannel: HTTPChannelHandler {
  /// Where texts are written to.
  typealias Outbound = NIOAsyncChannelOutboundWriter<WebSocketFrame>
  fileprivate typealias Frames = NIOAsyncChannel<WebSocketFrame, WebSocketFrame>

  let responder: HTTPChannelHandler.Responder
  /// The path of the WebSocket.
  let path: String
  /// Speaks until it throws or the client leaves. It is given the query of the request.
  let speak: @Sendable (Fields, Outbound) async throws -> Void

  /// What a connection turned out to be.
  fileprivate enum Conversation: Sendable {
    case http(NIOAsyncChannel<HTTPRequestPart, HTTPResponsePart>)
    case webSocket(Frames, Fields)
  }

  /// A connection whose first request has yet to come.
  struct Value: ServerChildChannelValue {
    let channel: any Channel
    fileprivate let conversation: EventLoopFuture<Conversation>
  }

  func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
    channel.eventLoop.makeCompletedFuture {
      let pipeline = channel.pipeline.syncOperations
      let encoder = HTTPResponseEncoder()
      let decoder = ByteToMessageHandler(HTTPRequestDecoder(leftOverBytesStrategy: .forwardBytes))
      let filter = UpgradeFilter(path: path)
      // The decoder leaves last: it hands on frames that came with the request.
      let upgrader = NIOTypedHTTPServerUpgradeHandler(
        httpEncoder: encoder, extraHTTPHandlers: [filter, decoder], upgradeConfiguration: upgrades(logger))
      try pipeline.addHandlers(encoder, decoder, filter, upgrader)
      return Value(channel: channel, conversation: upgrader.upgradeResultFuture)
    }
  }

  private func upgrades(_ logger: Logger) -> NIOTypedHTTPServerUpgradeConfiguration<Conversation> {
    let upgrader = NIOTypedWebSocketServerUpgrader<Conversation>(
      shouldUpgrade: { channel, _ in channel.eventLoop.makeSucceededFuture([:]) },
      upgradePipelineHandler: { channel, head in
        channel.eventLoop.makeCompletedFuture {
          let query = Fields(form: URI(head.uri).query ?? "")
          return .webSocket(try NIOAsyncChannel(wrappingChannelSynchronously: channel), query)
        }
      })
    return .init(upgraders: [upgrader]) { channel in
      channel.eventLoop.makeCompletedFuture {
        // As Hummingbird's HTTP1Channel has it, which also answers what is no HTTP from here on.
        let pipeline = channel.pipeline.syncOperations
        try pipeline.addHandler(HTTP1ToHTTPServerCodec(secure: false))
        try pipeline.addHandler(HTTPConnectionStateHandler(logger: logger))
        return .http(
          try NIOAsyncChannel(
            wrappingChannelSynchronously: channel, configuration: .init(isOutboundHalfClosureEnabled: true)))
      }
    }
  }

  func handle(value: Value, logger: Logger) async {
    // A connection on which no request comes would keep the server up.
    let conversation = try? await withTaskCancellationHandler {
      try await value.conversation.get()
    } onCancel: {
      value.channel.close(promise: nil)
    }
    switch conversation {
    case .http(let channel): await handleHTTP(asyncChannel: channel, logger: logger)
    // That it broke or was cancelled is its end.
    case .webSocket(let frames, let query): try? await converse(frames, query)
    // Nobody else knows the connection.
    case nil: value.channel.close(promise: nil)
    }
  }

  private func converse(_ frames: Frames, _ query: Fields) async throws {
    try await frames.executeThenClose { inbound, outbound in
      try await withThrowingTaskGroup(of: Void.self) { group in
        group.addTask { try await speak(query, outbound) }
        group.addTask { try await Self.answer(inbound, outbound) }
        defer { group.cancelAll() }
        try await group.next()
      }
    }
  }

  /// Answers pings and the end (RFC 6455, 5.5). What else a client says is of no interest.
  private static func answer(_ inbound: NIOAsyncChannelInboundStream<WebSocketFrame>, _ outbound: Outbound) async throws
  {
    for try await frame in inbound {
      switch frame.opcode {
      case .ping: try await outbound.write(WebSocketFrame(fin: true, opcode: .pong, data: frame.unmaskedData))
      case .connectionClose:
        return try await outbound.write(WebSocketFrame(fin: true, opcode: .connectionClose, data: frame.unmaskedData))
      default: break
      }
    }
  }
}

/// Removes `Upgrade` from all requests but handshakes for the WebSocket: NIO loses a request whose upgrade it refuses
/// (https://github.com/apple/swift-nio/issues/2632). Answers a connection that does not begin with HTTP, and ends it.
private final class UpgradeFilter: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPServerRequestPart
  typealias InboundOut = HTTPServerRequestPart
  typealias OutboundOut = HTTPServerResponsePart

  private let path: String
  /// Whether a request or an error came. Later errors are for whoever got the first request.
  private var hasBegun = false

  init(path: String) { self.path = path }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    hasBegun = true
    guard case .head(var head) = unwrapInboundIn(data), !isHandshake(head) else { return context.fireChannelRead(data) }
    head.headers.remove(name: "Upgrade")
    context.fireChannelRead(wrapInboundOut(.head(head)))
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    guard !hasBegun else { return context.fireErrorCaught(error) }
    hasBegun = true
    let headers = HTTPHeaders([("Connection", "close"), ("Content-Length", "0")])
    let head = HTTPResponseHead(version: .http1_1, status: .badRequest, headers: headers)
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }

  /// Whether a request is a whole handshake (RFC 6455, 4.2.1) without a body. NIO ends the program if a body, or another
  /// request, comes with one that it upgrades. Its decoder stops behind a request that has `upgrade` in `Connection`, but
  /// not if a tab stands behind the word: then `canonicalForm` would find what the decoder did not.
  private func isHandshake(_ head: HTTPRequestHead) -> Bool {
    let headers = head.headers
    guard head.method == .GET, URI(head.uri).path == path else { return false }
    guard !headers.contains(name: "Content-Length"), !headers.contains(name: "Transfer-Encoding") else { return false }
    let options = headers["Connection"].flatMap { $0.lowercased().split(separator: ",") }
    guard options.contains(where: { $0.drop(while: { $0 == " " }) == "upgrade" }) else { return false }
    return headers["Upgrade"].map { $0.lowercased() } == ["websocket"]
      && headers["Sec-WebSocket-Version"] == ["13"]
      && headers[canonicalForm: "Sec-WebSocket-Key"].count == 1
  }
}
