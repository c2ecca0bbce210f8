import CCurl
import Glibc

/// The sockets that libcurl waits for. Each is served by itself, so that the next request on its connection is sent
/// before another is read. If libcurl served all in one call, all would wait for the last. Belongs to the driver
/// thread.
final class Sockets {
  /// A socket and the events that it is ready for.
  typealias Ready = curl_waitfd

  private let curl: Curl
  private let multi: UnsafeMutableRawPointer
  private let watch: CallWatchdog
  private var awaited: [curl_socket_t: Int16] = [:]

  /// Registers for the sockets that libcurl waits for. This object must live as long as the handle.
  init(_ curl: Curl, _ multi: UnsafeMutableRawPointer, _ watch: CallWatchdog) {
    (self.curl, self.multi, self.watch) = (curl, multi, watch)
    curl_shim_set_socket_callback(curl.shim, multi, socketCallback, Unmanaged.passUnretained(self).toOpaque())
  }

  /// Lets libcurl continue new transfers and those whose timeouts have expired.
  func continueTransfers() {
    watch.during { curl_shim_socket_action(curl.shim, multi, curl_socket_t(CURL_SOCKET_TIMEOUT), 0) }
  }

  /// Lets libcurl continue a socket's transfers, if it still has any.
  func continueTransfers(on socket: Ready) {
    guard awaited[socket.fd] != nil else { return }
    let state = Int32(socket.revents)
    let reads = state & CURL_WAIT_POLLIN == 0 ? 0 : CURL_CSELECT_IN
    let writes = state & CURL_WAIT_POLLOUT == 0 ? 0 : CURL_CSELECT_OUT
    watch.during { curl_shim_socket_action(curl.shim, multi, socket.fd, reads | writes) }
  }

  /// Has libcurl create the transfer's sockets through the watchdog's list.
  func prepare(_ easy: UnsafeMutableRawPointer) {
    curl_shim_set_open(curl.shim, easy, openSocketCallback)
    let sockets = Unmanaged.passUnretained(watch.sockets).toOpaque()
    curl_shim_set_pointer(curl.shim, easy, CURLOPT_OPENSOCKETDATA, sockets)
  }

  /// Waits until a socket is ready, a timeout expires or another thread wakes this one. Returns the ready sockets.
  ///
  /// libcurl also polls the sockets that it knows itself. Some of its versions forget to report one (curl issue 12971
  /// and others), and it does not report a broken one here. So if only libcurl found something, all transfers are
  /// continued.
  func wait(milliseconds: Int32) -> [Ready] {
    var files = awaited.map { Ready(fd: $0.key, events: $0.value, revents: 0) }
    let found = curl_shim_poll(curl.shim, multi, &files, UInt32(files.count), milliseconds)
    let ready = files.filter { $0.revents != 0 }
    if ready.isEmpty, found > 0 { watch.during { curl_shim_perform(curl.shim, multi) } }
    return ready
  }

  fileprivate func setInterest(_ socket: curl_socket_t, _ interest: Int32) {
    switch interest {
    case CURL_POLL_IN: awaited[socket] = Int16(CURL_WAIT_POLLIN)
    case CURL_POLL_OUT: awaited[socket] = Int16(CURL_WAIT_POLLOUT)
    case CURL_POLL_INOUT: awaited[socket] = Int16(CURL_WAIT_POLLIN | CURL_WAIT_POLLOUT)
    default: awaited[socket] = nil
    }
  }
}

// libcurl calls this on the driver thread while the driver owns the sockets.
private func socketCallback(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ interest: Int32, _ listener: UnsafeMutableRawPointer?,
  _ own: UnsafeMutableRawPointer?
) -> Int32 {
  guard let listener else { return 0 }
  Unmanaged<Sockets>.fromOpaque(listener).takeUnretainedValue().setInterest(socket, interest)
  return 0
}

// libcurl calls this on the driver thread while the driver owns the watchdog.
private func openSocketCallback(
  _ sockets: UnsafeMutableRawPointer?, _ purpose: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
  guard let sockets, let address else { return -1 }
  return Unmanaged<OpenSockets>.fromOpaque(sockets).takeUnretainedValue().open(address.pointee)
}
