import HTTP

/// A request to a bucket, before it is signed.
struct S3Call {
  var method: Request.Method
  /// The whole key; nil for the bucket itself.
  var key: String?
  var query: [(String, String)] = []
  /// Fields that are signed.
  var fields: [(String, String)] = []
  var body: [UInt8] = []
  /// A body that is read while it is sent, in place of `body`, and its SHA-256 in hexadecimal digits.
  var upload: (bytes: Upload, hash: String)?
  /// The maximum size of the answer in bytes.
  var limit = 16 << 20
  /// How long the service may be silent.
  var patience = Duration.seconds(30)
  /// Whether the service may begin its answer with 200 before it knows whether it succeeds.
  var mayFailLate = false
  /// For how many seconds the service accepts the request, by its own clock, and the time of its clock; nil for a quarter
  /// of an hour, as every request.
  var lease: (seconds: Int, begin: ServiceTime)?

  /// The number of bytes that are sent.
  var byteCount: Int { upload?.bytes.byteCount ?? body.count }
  var bodyHash: String {
    upload?.hash ?? (body.isEmpty ? SignatureV4.empty : SignatureV4.hex(Digest.sha256(body)))
  }

  init(_ method: Request.Method, _ key: String?, _ query: [(String, String)] = [], fields: [(String, String)] = []) {
    (self.method, self.key, self.query, self.fields) = (method, key, query, fields)
  }
}
