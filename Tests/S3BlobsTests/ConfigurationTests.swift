import Folders
import Foundation
import HTTP
import Testing

@testable import S3Blobs

@Suite struct ConfigurationTests {
  private let keys = ["AWS_ACCESS_KEY_ID": "AK", "AWS_SECRET_ACCESS_KEY": "SK"]

  @Test func `variables name keys, region and service`() throws {
    let all = keys.merging([
      "AWS_SESSION_TOKEN": "T", "AWS_REGION": "eu-central-1", "AWS_ENDPOINT_URL": "https://other.example",
      "AWS_ENDPOINT_URL_S3": "http://[::1]:9000/path/",
    ]) { $1 }
    let found = try S3Configuration(environment: all)
    #expect(found.credentials == S3Credentials(accessKey: "AK", secretKey: Secret("SK"), sessionToken: Secret("T")))
    #expect(found.region == "eu-central-1")
    #expect(found.endpoint == S3Endpoint(scheme: "http", authority: "[::1]:9000", path: "/path"))
    #expect(try S3Configuration(environment: keys).endpoint == nil)
  }

  @Test func `a profile of the usual files is found`() throws {
    let scratch = try Scratch()
    try FileManager.default.createDirectory(atPath: "\(scratch.path)/.aws", withIntermediateDirectories: false)
    try """
    # a comment
    [default]
    aws_access_key_id = AK
    aws_secret_access_key = S/K+1=
    [other]
    aws_access_key_id=AK2
    aws_secret_access_key=SK2
    aws_session_token=T2
    """.write(toFile: "\(scratch.path)/.aws/credentials", atomically: true, encoding: .utf8)
    try """
    [default]
    region = eu-west-1
    [profile other]
    endpoint_url = https://s3.example:443
    s3 =
      addressing_style = virtual
      max_concurrent_requests = 20
    region = auto
    """.write(toFile: "\(scratch.path)/.aws/config", atomically: true, encoding: .utf8)
    let plain = try S3Configuration(environment: ["HOME": scratch.path])
    #expect(plain.credentials == S3Credentials(accessKey: "AK", secretKey: Secret("S/K+1=")))
    #expect(plain.region == "eu-west-1" && plain.endpoint == nil && plain.isVirtualHosted == nil)
    let other = try S3Configuration(environment: ["HOME": scratch.path, "AWS_PROFILE": "other"])
    #expect(other.credentials == S3Credentials(accessKey: "AK2", secretKey: Secret("SK2"), sessionToken: Secret("T2")))
    #expect(other.region == "auto" && other.isVirtualHosted == true)
    #expect(other.endpoint == S3Endpoint(scheme: "https", authority: "s3.example", path: ""))
    #expect(throws: S3ConfigurationError.noProfile("none")) {
      try S3Configuration(environment: ["HOME": scratch.path, "AWS_PROFILE": "none"])
    }
  }

  @Test func `what is missing or wrong is said with its cure, and without a secret`() throws {
    #expect(throws: S3ConfigurationError.noKey) { try S3Configuration(environment: [:]) }
    for wrong in ["ftp://s3.example", "https://user:SK@s3.example", "s3.example", "https://s3.example?x=1"] {
      #expect(throws: S3ConfigurationError.self) {
        try S3Configuration(environment: keys.merging(["AWS_ENDPOINT_URL": wrong]) { $1 })
      }
    }
    #expect(throws: S3ConfigurationError.badRegion("eu/../x")) {
      try S3Configuration(environment: keys.merging(["AWS_REGION": "eu/../x"]) { $1 })
    }
  }

  @Test func `an address names a bucket and a prefix, or a folder`() throws {
    for (text, bucket, prefix) in [
      ("s3://pictures", "pictures", ""), ("s3://pictures/", "pictures", ""),
      ("s3://my.pictures/a/b//", "my.pictures", "a/b"),
    ] {
      let address = try #require(S3Address(text))
      #expect(address.bucket == bucket && address.prefix == prefix)
      #expect(S3Address(address.description) == address)
      #expect(try BlobAddress(text) == .s3(address))
    }
    for text in [
      "s3://", "s3://a", "s3:///x", "s3://bucket/../x", "s3://bucket//x", "s3://buck et", "s3://büro", "s3://-ab",
    ] {
      #expect(S3Address(text) == nil, "\(text)")
      #expect(throws: BlobAddressError.badBucket(text)) { try BlobAddress(text) }
    }
    #expect(try BlobAddress("/srv/pictures//") == .folder("/srv/pictures"))
    #expect(throws: BlobAddressError.unknown("pictures")) { try BlobAddress("pictures") }
  }
}
