import HTTPTypes
import NIOCore
import NIOHTTP1
import NIOHTTPTypes
import NIOHTTPTypesHTTP1

/// Answers what is no request, and closes a connection that its peer may not have, whose request's head does not come, or
/// whose body goes on long after its answer.
final class ConnectionGuard: ChannelDuplexHandler, RemovableChannelHandler {
  typealias InboundIn = HTTPRequestPart
  typealias InboundOut = HTTPRequestPart
  typealias OutboundIn = HTTPResponsePart
  typealias OutboundOut = HTTPResponsePart

  private let limits: ConnectionLimits
  private let peers: PeerConnections
  private let deadline: HeadDeadline
  private var isAdmitted = false
  /// Requests whose answer is not yet written whole.
  private var open = 0
  /// Whether a request has begun and is not yet here whole.
  private var isReading = false
  /// The bytes that came for a request after its answer.
  private var late = 0

  init(limits: ConnectionLimits, peers: PeerConnections) {
    (self.limits, self.peers) = (limits, peers)
    deadline = HeadDeadline(limit: limits.head)
  }

  func handlerAdded(context: ChannelHandlerContext) {
    let peer = PeerNetwork.of(context.channel.remoteAddress?.ipAddress ?? "")
    isAdmitted = peers.admit(peer)
    if isAdmitted { context.channel.closeFuture.whenComplete { [peers] _ in peers.left(peer) } }
    do {
      try context.pipeline.syncOperations.addHandler(deadline, position: .first)
    } catch {
      // Only a pipeline that is closed takes no handler.
      context.close(promise: nil)
    }
  }

  func channelActive(context: ChannelHandlerContext) {
    context.fireChannelActive()
    if !isAdmitted { context.close(promise: nil) }
  }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    switch unwrapInboundIn(data) {
    case .head:
      (open, late, isReading) = (open + 1, 0, true)
      deadline.headCame()
    case .end:
      isReading = false
      if open == 0 { deadline.nextIsDue() }
    case .body(let bytes) where open == 0:
      late += bytes.readableBytes
      guard late <= limits.bytesAfterAnswer else {
        context.close(promise: nil)
        return
      }
    default: break
    }
    context.fireChannelRead(data)
  }

  func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
    if case .end = unwrapOutboundIn(data) {
      open = max(0, open - 1)
      if open == 0, !isReading { deadline.nextIsDue() }
    }
    context.write(data, promise: promise)
  }

  func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
    context.fireUserInboundEventTriggered(event)
    // The gallery ends. It waits for its own answers, but for nobody's request.
    if event is ChannelShouldQuiesceEvent, isReading { context.close(promise: nil) }
  }

  func errorCaught(context: ChannelHandlerContext, error: any Error) {
    // While an answer is being written the server itself ends the connection after it.
    guard open == 0, error is HTTPParserError || error is HTTP1TypeConversionError else {
      context.fireErrorCaught(error)
      return
    }
    let isLarge = (error as? HTTPParserError) == .headerOverflow
    let words = isLarge ? "the header fields are too large\n" : "this is no request of HTTP\n"
    let head = HTTPResponse(
      status: isLarge ? .requestHeaderFieldsTooLarge : .badRequest,
      headerFields: [
        .connection: "close", .contentLength: "\(words.utf8.count)", .contentType: "text/plain; charset=utf-8",
        .xContentTypeOptions: "nosniff",
      ])
    context.write(wrapOutboundOut(.head(head)), promise: nil)
    context.write(wrapOutboundOut(.body(ByteBuffer(string: words))), promise: nil)
    context.writeAndFlush(wrapOutboundOut(.end(nil)), promise: nil)
    context.close(promise: nil)
  }
}

@available(*, unavailable)
extension ConnectionGuard: Sendable {}
