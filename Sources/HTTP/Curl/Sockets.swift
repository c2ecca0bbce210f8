import CCurl
import Glibc

/// The sockets that libcurl waits for, so that each is served by itself and the next request on its connection leaves
/// before another is read: served in one go, all would wait for the last. Belongs to the driver thread.
final class Sockets {
  /// A socket and what it is ready for.
  typealias Ready = curl_waitfd

  private let curl: Curl
  private let multi: UnsafeMutableRawPointer
  private let watch: Watch
  private var awaited: [curl_socket_t: Int16] = [:]

  /// Has libcurl tell which sockets it waits for, as long as the handle lives; this has to live as long.
  init(_ curl: Curl, _ multi: UnsafeMutableRawPointer, _ watch: Watch) {
    (self.curl, self.multi, self.watch) = (curl, multi, watch)
    curl_door_tell_sockets(curl.door, multi, takeSocket, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Goes on with what is new and what has waited for a time.
  func goOn() { watch.during { curl_door_act(curl.door, multi, curl_socket_t(CURL_SOCKET_TIMEOUT), 0) } }

  /// Goes on with a socket's transfers, where it still has any.
  func goOn(with socket: Ready) {
    guard awaited[socket.fd] != nil else { return }
    let state = Int32(socket.revents)
    let reads = state & CURL_WAIT_POLLIN == 0 ? 0 : CURL_CSELECT_IN
    let writes = state & CURL_WAIT_POLLOUT == 0 ? 0 : CURL_CSELECT_OUT
    watch.during { curl_door_act(curl.door, multi, socket.fd, reads | writes) }
  }

  /// Has a transfer's sockets made where the watch knows them.
  func prepare(_ easy: UnsafeMutableRawPointer) {
    curl_door_set_open(curl.door, easy, openSocket)
    let sockets = Unmanaged.passUnretained(watch.sockets).toOpaque()
    curl_door_set_pointer(curl.door, easy, CURLOPT_OPENSOCKETDATA, sockets)
  }

  /// Waits until a socket is ready, something's time has come or the bell rings; which sockets are ready.
  ///
  /// libcurl also looks at those it knows itself. Some of its versions forget to tell of one (curl issue 12971 and
  /// others), and here it says nothing of one that broke: where it alone found something, all transfers get a turn.
  func wait(milliseconds: Int32) -> [Ready] {
    var files = awaited.map { Ready(fd: $0.key, events: $0.value, revents: 0) }
    let found = curl_door_poll(curl.door, multi, &files, UInt32(files.count), milliseconds)
    let ready = files.filter { $0.revents != 0 }
    if ready.isEmpty, found > 0 { watch.during { curl_door_perform(curl.door, multi) } }
    return ready
  }

  fileprivate func take(_ socket: curl_socket_t, _ what: Int32) {
    switch what {
    case CURL_POLL_IN: awaited[socket] = Int16(CURL_WAIT_POLLIN)
    case CURL_POLL_OUT: awaited[socket] = Int16(CURL_WAIT_POLLOUT)
    case CURL_POLL_INOUT: awaited[socket] = Int16(CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT)
    default: awaited[socket] = nil
    }
  }
}

// libcurl calls this on the driver thread while the driver holds the sockets.
private func takeSocket(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ listener: UnsafeMutableRawPointer?,
  _ own: UnsafeMutableRawPointer?
) -> Int32 {
  guard let listener else { return 0 }
  Unmanaged<Sockets>.fromOpaque(listener).takeUnretainedValue().take(socket, what)
  return 0
}

// libcurl calls this on the driver thread while the driver holds the watch.
private func openSocket(
  _ sockets: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let sockets, let address else { return -1 }
  return Unmanaged<OpenSockets>.fromOpaque(sockets).takeUnretainedValue().open(address.pointee)
}
