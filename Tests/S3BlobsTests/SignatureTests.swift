import Foundation
import HTTP
import Testing

@testable import S3Blobs

/// The examples of "Authenticating Requests (AWS Signature Version 4)" in Amazon's documentation of S3's API. Its keys are
/// made up.
@Suite struct SignatureTests {
  private let signature = SignatureV4(
    credentials: S3Credentials(
      accessKey: "AKIAIOSFODNN7EXAMPLE", secretKey: Secret("wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")),
    region: "us-east-1", date: Date(timeIntervalSince1970: 1_369_353_600))

  private func subject(
    _ method: String = "GET", _ path: String = "/", _ query: [(String, String)] = [], _ fields: [(String, String)] = []
  ) -> SignatureV4.Subject {
    .init(method: method, host: "examplebucket.s3.amazonaws.com", path: path, query: query, fields: fields)
  }

  private func authorization(_ subject: SignatureV4.Subject, body: String = SignatureV4.empty) -> String? {
    signature.fields(for: subject, body: body).first { $0.0 == "Authorization" }?.1
  }

  private let scope = "AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request"

  @Test func `a range of an object is asked for as in the documentation`() {
    #expect(
      authorization(subject("GET", "/test.txt", [], [("Range", "bytes=0-9")])) == """
        \(scope),SignedHeaders=host;range;x-amz-content-sha256;x-amz-date,\
        Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41
        """)
  }

  @Test func `an object is written as in the documentation`() {
    let fields = [("Date", "Fri, 24 May 2013 00:00:00 GMT"), ("x-amz-storage-class", "REDUCED_REDUNDANCY")]
    let body = "44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072"
    #expect(SignatureV4.hex(Digest.sha256("Welcome to Amazon S3.".utf8)) == body)
    #expect(SignatureV4.path("test$file.text") == "test%24file.text")
    #expect(
      authorization(subject("PUT", "/test%24file.text", [], fields), body: body) == """
        \(scope),SignedHeaders=date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class,\
        Signature=98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd
        """)
  }

  @Test(arguments: [
    ([("lifecycle", "")], "fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543"),
    ([("prefix", "J"), ("max-keys", "2")], "34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7"),
  ])
  func `a bucket is asked as in the documentation`(query: [(String, String)], expected: String) {
    #expect(
      authorization(subject("GET", "/", query)) == """
        \(scope),SignedHeaders=host;x-amz-content-sha256;x-amz-date,Signature=\(expected)
        """)
  }

  @Test func `an address that expires is signed as in the documentation`() {
    #expect(
      signature.query(for: subject("GET", "/test.txt"), expiringAfter: 86_400) == """
        X-Amz-Algorithm=AWS4-HMAC-SHA256&\
        X-Amz-Credential=AKIAIOSFODNN7EXAMPLE%2F20130524%2Fus-east-1%2Fs3%2Faws4_request&X-Amz-Date=20130524T000000Z&\
        X-Amz-Expires=86400&X-Amz-SignedHeaders=host&\
        X-Amz-Signature=aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404
        """)
  }

  @Test func `the token of a temporary key is signed, and no secret is shown`() {
    var credentials = signature.credentials
    credentials.sessionToken = Secret("temporary")
    let fields = SignatureV4(credentials: credentials, region: "us-east-1", date: signature.date).fields(
      for: subject(), body: SignatureV4.empty)
    #expect(fields.contains { $0 == ("x-amz-security-token", "temporary") })
    #expect(fields.last?.1.contains("x-amz-date;x-amz-security-token") == true)
    #expect(!"\(credentials)".contains("wJalr") && !"\(credentials)".contains("temporary"))
  }
}
