import Blobs
import Foundation
import HTTP
import Storage
import Synchronization
import Testing

@testable import S3Blobs

@Suite struct FaultTests {
  /// Sends a request to a service that always refuses it so.
  private func error(_ status: Int, _ code: String, method: Request.Method = .put) throws -> BlobError {
    let client = try SmallService { _, _ in SmallService.refusal(status, code) }.client()
    return try #require(throws: BlobError.self) { try client.send(S3Call(method, "p/x")) }
  }

  @Test(arguments: [
    (404, "NoSuchBucket", "there is no bucket pictures: make the bucket, or check its name", 78),
    (
      403, "InvalidAccessKeyId", "the service does not know the access key: check AWS_ACCESS_KEY_ID and AWS_PROFILE", 77
    ),
    (403, "SignatureDoesNotMatch", "the secret key does not fit the access key: check AWS_SECRET_ACCESS_KEY", 77),
    (400, "ExpiredToken", "the temporary key has expired: log in anew, and set AWS_SESSION_TOKEN", 77),
    (403, "RequestTimeTooSkewed", "the clock of this machine or of the service is wrong: set the clock", 78),
    (503, "SlowDown", "the service answers 503 SlowDown: try again later", 69),
  ])
  func `each refusal is one sentence with its cure`(status: Int, code: String, text: String, exit: Int32) throws {
    let error = try error(status, code)
    #expect("\(error)" == "s3://pictures/p cannot be used, since \(text)")
    #expect(error.exitCode.rawValue == exit)
  }

  @Test func `a full service and a key that may not write are said as of a folder`() throws {
    #expect(try error(507, "XMinioStorageFull") == .full(location: "s3://pictures/p"))
    #expect(try error(403, "QuotaExceeded") == .full(location: "s3://pictures/p"))
    #expect(try error(403, "AccessDenied") == .readOnly(location: "s3://pictures/p"))
    #expect(try "\(error(403, "AccessDenied", method: .get))".contains("the key may not read it"))
  }

  @Test func `a service that is away is asked again with growing pauses, then said to be away`() throws {
    let service = SmallService { _, _ throws(TransportError) in
      throw .unreachable(host: "s3.example", reason: "refused")
    }
    let client = try service.client()
    let error = try #require(throws: BlobError.self) { try client.send(S3Call(.get, "p/x")) }
    #expect("\(error)".hasPrefix("s3://pictures/p cannot be used, since the service cannot be reached (refused)"))
    #expect(service.waits == [.milliseconds(375), .milliseconds(750), .milliseconds(1500), .milliseconds(3000)])
  }

  @Test func `a service that slows down or fails once is asked again`() throws {
    for (status, code) in [
      (503, "SlowDown"), (500, "InternalError"), (409, "ConditionalRequestConflict"), (400, "RequestTimeout"),
    ] {
      let service = SmallService { _, number in
        number < 3 ? SmallService.refusal(status, code) : Response(status: 200)
      }
      #expect(try service.client().send(S3Call(.put, "p/x")).status == 200)
      #expect(service.asked.count == 3 && service.waits.count == 2, "\(code)")
    }
  }

  @Test func `the region that a service names is used from then on`() throws {
    let service = SmallService { request, _ in
      request.headers["Authorization"]?.contains("/eu-central-1/s3/") == true
        ? Response(status: 200)
        : SmallService.refusal(301, "PermanentRedirect", ["x-amz-bucket-region": "eu-central-1"])
    }
    let client = try service.client(endpoint: nil)
    for _ in 0..<2 { _ = try client.send(S3Call(.get, "p/x")) }
    #expect(
      service.asked.map(\.url) == [
        "https://pictures.s3.us-east-1.amazonaws.com/p/x", "https://pictures.s3.eu-central-1.amazonaws.com/p/x",
        "https://pictures.s3.eu-central-1.amazonaws.com/p/x",
      ])
    let other = try SmallService { _, _ in
      SmallService.refusal(301, "PermanentRedirect", ["x-amz-bucket-region": "eu-central-1"])
    }.client()
    let error = try #require(throws: BlobError.self) { try other.send(S3Call(.get, "p/x")) }
    #expect("\(error)".contains("the bucket is in another region than eu-central-1: set AWS_REGION"))
  }

  @Test func `a service that names another region, and then finds the clock wrong, is right about both`() throws {
    let service = SmallService { request, _ in
      guard request.headers["Authorization"]?.contains("/eu-central-1/s3/") == true else {
        return SmallService.refusal(400, "AuthorizationHeaderMalformed", ["x-amz-bucket-region": "eu-central-1"])
      }
      return request.headers["x-amz-date"] == "20270115T100000Z"
        ? Response(status: 200)
        : SmallService.refusal(403, "RequestTimeTooSkewed", ["Date": "Fri, 15 Jan 2027 10:00:00 GMT"])
    }
    #expect(try service.client().send(S3Call(.get, "p/x")).status == 200)
    #expect(service.asked.count == 3 && service.waits.isEmpty)
  }

  @Test func `an answer that turns out to be a failure is one, and the request is sent again`() throws {
    let service = SmallService { _, number in
      let code = "<?xml?><Error><Code>InternalError</Code></Error>"
      return Response(status: 200, body: Array((number < 3 ? code : "<Result><ETag>x</ETag></Result>").utf8))
    }
    var call = S3Call(.post, "p/x", [("uploadId", "7")])
    call.mayFailLate = true
    #expect(S3Document(try service.client().send(call).body).value("ETag") == "x")
    #expect(service.asked.count == 3)
  }

  @Test func `a clock that is hours off is corrected by the service's`() throws {
    let service = SmallService { request, _ in
      request.headers["x-amz-date"] == "20270115T100000Z"
        ? Response(status: 200)
        : SmallService.refusal(403, "RequestTimeTooSkewed", ["Date": "Fri, 15 Jan 2027 10:00:00 GMT"])
    }
    #expect(try service.client().send(S3Call(.get, "p/x")).status == 200)
    #expect(service.asked.count == 2)
  }

  @Test func `requests that are refused at once for a wrong clock are all sent again`() throws {
    let early = DispatchSemaphore(value: 0)
    let count = Atomic(0)
    let service = SmallService { request, _ in
      if request.headers["x-amz-date"] == "20270115T100000Z" { return Response(status: 200) }
      // Each is signed before any of them is answered.
      if count.add(1, ordering: .relaxed).newValue == 3 { for _ in 0..<2 { early.signal() } } else { early.wait() }
      return SmallService.refusal(403, "RequestTimeTooSkewed", ["Date": "Fri, 15 Jan 2027 10:00:00 GMT"])
    }
    let client = try service.client()
    let statuses = Mutex<[Int]>([])
    let ended = DispatchSemaphore(value: 0)
    for number in 0..<3 {
      Thread.detachNewThread {
        let answer = try? client.send(S3Call(.get, "p/\(number)"))
        statuses.withLock { $0.append(answer?.status ?? 0) }
        ended.signal()
      }
    }
    for _ in 0..<3 { ended.wait() }
    #expect(statuses.withLock(\.self) == [200, 200, 200])
    #expect(service.asked.count == 6)
  }

  @Test func `no request and no error shows the secret key`() throws {
    let service = SmallService { _, _ in SmallService.refusal(403, "SignatureDoesNotMatch") }
    let client = try service.client()
    let error = try #require(throws: BlobError.self) { try client.send(S3Call(.put, "p/x")) }
    let address = try client.readingAddress(ofKey: "p/x", for: 900)
    #expect(!"\(error) \(service.asked) \(address)".contains("very-secret"))
  }

  @Test func `keys lie in the path or in the host, as the service wants it`() throws {
    let service = SmallService { _, _ in Response(status: 200) }
    _ = try service.client(endpoint: "http://[::1]:9000/base").send(S3Call(.get, "p/x y"))
    _ = try service.client(endpoint: nil, region: "cn-north-1").send(
      S3Call(.get, nil, [("prefix", "p/"), ("list-type", "2")]))
    #expect(
      service.asked.map(\.url) == [
        "http://[::1]:9000/base/pictures/p/x%20y",
        "https://pictures.s3.cn-north-1.amazonaws.com.cn/?list-type=2&prefix=p%2F",
      ])
    #expect(service.asked.allSatisfy { $0.headers["x-amz-content-sha256"] == SignatureV4.empty })
  }
}
