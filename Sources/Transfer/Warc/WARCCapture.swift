import Blobs
import FoundationEssentials
import Glibc
import HTTP
import Machine
import Synchronization

/// Keeps what a pull asks and what comes, as a WARC file that only its owner may read.
///
/// It stands at the transport of pulls. Logins use another one, so their exchanges never pass here. A POST is not kept
/// either. Until `finish` the file's name ends in `.open`, as that of an unfinished file of other crawlers does.
package final class WARCCapture: Sendable {
  private let folder: String
  private let path: String
  private let now: @Sendable () -> Date
  private let file: Mutex<Int32>

  /// Begins a file.
  ///
  /// - Parameters:
  ///   - folder: The folder, which is made where it is missing.
  ///   - software: The program and its version.
  ///   - now: The clock.
  package init(in folder: String, software: String, now: @escaping @Sendable () -> Date) throws {
    let moment = now()
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let digits = UTC.text(moment).filter(\.isNumber)
    path = "\(folder)/media-\(digits)-\(getpid()).warc"
    let descriptor = open("\(path).open", O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw NewFileError(path, errno) }
    (self.folder, self.now) = (folder, now)
    file = Mutex(descriptor)
    do throws(NewFileError) {
      try append([WARCDocument.head(software: software, now: moment)], nil)
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { file.withLock { if $0 >= 0 { close($0) } } }

  /// A transport whose exchanges are kept.
  package func capturing(_ transport: Transport) -> Transport {
    Transport(
      send: { request throws(TransportError) in
        let asked = self.now()
        let response = try await transport.send(request)
        let exchange = WARCExchange(request: request, response: response)
        let body = exchange.body(response.body)
        try self.keep(exchange, at: asked, digest: BlobID(hashing: body), body.count) { .bytes(body) }
        return response
      },
      download: { request, sink throws(TransportError) in
        let asked = self.now()
        guard let spool = Spool(in: self.folder, before: sink) else { throw .sink("\(self.folder) cannot be written") }
        let response = try await transport.download(request, spool)
        guard let (digest, count) = spool.end() else { return response }
        let exchange = WARCExchange(request: request, response: response)
        try self.keep(exchange, at: asked, digest: digest, count) { .file(spool) }
        return response
      })
  }

  /// Gives the file its name.
  ///
  /// - Returns: Its path.
  package func finish() throws(NewFileError) -> String {
    let result = file.withLock { file -> Int32 in
      defer {
        close(file)
        file = -1
      }
      return fsync(file) == 0 && rename("\(path).open", path) == 0 ? 0 : errno
    }
    guard result == 0 else { throw NewFileError(path, result) }
    return path
  }

  private enum Body {
    case bytes([UInt8])
    case file(Spool)
  }

  private func keep(
    _ exchange: WARCExchange, at date: Date, digest: BlobID, _ count: Int, body: () -> Body
  ) throws(TransportError) {
    guard exchange.request.method == .get || exchange.request.isSafePost else { return }
    let response = exchange.response
    let address = WARCExchange.address(response.url.isEmpty ? exchange.request.url : response.url)
    // A continued download: the last answer had only a part of these bytes.
    let isPart = response.status == 206
    let type = response.headers["Content-Type"].map { $0.filter { !$0.isNewline } } ?? "application/octet-stream"
    let head = isPart ? [] : exchange.responseHead(byteCount: count)
    let record = WARCRecord(
      kind: isPart ? .resource : .response, address: address, date: date,
      contentType: isPart ? type : "application/http;msgtype=response", digest: digest, byteCount: head.count + count)
    let asked = exchange.requestHead + (exchange.request.body ?? [])
    var request = WARCRecord(
      kind: .request, address: WARCExchange.address(exchange.request.url), date: date,
      contentType: "application/http;msgtype=request", digest: BlobID(hashing: asked), byteCount: asked.count)
    request.concurrent = record.identity
    let after = WARCRecord.tail + request.head + asked + WARCRecord.tail
    do throws(NewFileError) {
      switch body() {
      case .bytes(let bytes): try append([record.head, head, bytes, after], nil)
      case .file(let spool): try append([record.head, head], spool, [after])
      }
    } catch {
      throw .sink("\(error)")
    }
  }

  /// Adds pieces at the end, one exchange after the other.
  private func append(
    _ before: [[UInt8]], _ spool: Spool?, _ after: [[UInt8]] = []
  ) throws(NewFileError) {
    let code = file.withLock { file -> Int32 in
      for piece in before { if let code = writeAll(piece, to: file) { return code } }
      if let spool, let code = spool.copy(to: { writeAll($0, to: file) }) { return code }
      for piece in after { if let code = writeAll(piece, to: file) { return code } }
      return 0
    }
    guard code == 0 else { throw NewFileError(path, code) }
  }

}
