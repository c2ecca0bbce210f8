import HTTPTypes
import Hummingbird
import NIOCore

/// What is known about a request besides the request.
struct GalleryContext: RequestContext {
  var coreContext: CoreRequestContextStorage
  /// The end of the connection at this machine.
  let here: ConnectionEnd
  /// The other end: the browser, or the proxy before the gallery.
  let there: ConnectionEnd

  init(source: Source) {
    coreContext = .init(source: source)
    here = ConnectionEnd(source.channel.localAddress)
    there = ConnectionEnd(source.channel.remoteAddress)
  }
}

extension ConnectionEnd {
  fileprivate init(_ address: SocketAddress?) { self.init(address: address?.ipAddress, port: address?.port) }
}
