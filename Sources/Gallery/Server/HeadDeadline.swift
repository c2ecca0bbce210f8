import NIOCore

/// Closes a connection on which the head of a request is not whole some time after its first byte, however it trickles.
///
/// It stands before everything else in its pipeline, because what is not yet a head is nothing but bytes. Those of a TLS
/// handshake count as well.
final class HeadDeadline: ChannelInboundHandler, RemovableChannelHandler {
  typealias InboundIn = ByteBuffer
  typealias InboundOut = ByteBuffer

  private let limit: TimeAmount
  private var isDue = true
  private var end: Scheduled<Void>?

  init(limit: Duration) { self.limit = TimeAmount(limit) }

  func channelRead(context: ChannelHandlerContext, data: NIOAny) {
    if isDue, end == nil {
      end = context.eventLoop.scheduleTask(in: limit) { [channel = context.channel] in channel.close(promise: nil) }
    }
    context.fireChannelRead(data)
  }

  func channelInactive(context: ChannelHandlerContext) {
    headCame()
    context.fireChannelInactive()
  }

  /// The head is whole.
  func headCame() {
    isDue = false
    end?.cancel()
    end = nil
  }

  /// The next bytes are of another head.
  func nextIsDue() { isDue = true }
}

@available(*, unavailable)
extension HeadDeadline: Sendable {}
