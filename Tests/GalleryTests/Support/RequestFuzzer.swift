import PropertyTesting

/// Makes requests from the gallery's own, each with some things wrong. The same seed makes the same requests.
struct RequestFuzzer {
  private var dice: Dice
  private let host: String
  private let cookie: String

  /// A request, and whether it was made with the cookie of a signed-in browser.
  struct Made {
    let bytes: [UInt8]
    let isSignedIn: Bool
  }

  init(seed: UInt64, host: String, cookie: String) {
    (dice, self.host, self.cookie) = (Dice(state: seed), host, cookie)
  }

  private static let targets = [
    "/", "/?tag=birds&q=king&view=grid", "/?at=1", "/api/offers?q=tag:b", "/?deleted=1", "/?day=2026-11-21", "/post/1",
    "/post/1?tag=birds",
    "/api/list", "/api/list?around=2026-11-21T00:00:00.000Z/1&before=9&after=9", "/api/list?at=1&after=400",
    "/api/list?random=7&at=1&q=sort:size",
    "/api/list?feed=tag:cats@x", "/api/months?tag=birds", "/api/post/1", "/api/keys", "/api/places",
    "/api/ids?q=in:x", "/api/ids?from=1&to=2", "/api/ids?q=in:x&from=1&to=2",
    "/api/position?at=1&q=in:x",
    "/api/list?q=in:x&around=a0/1/1&before=2", "/api/changes", "/tags",
    "/authors",
    "/calendar?month=2026-11&day=2026-11-21", "/map?zoom=3&at=48.1,-11.5&q=cats", "/status", "/statistics", "/add",
    "/pull", "/login", "/help", "/sign-in",
    "/sign-in?to=/post/1", "/?token=guess", "/feed/all.atom?token=guess", "/assets/gallery.css", "/assets/gallery.js",
    "/download?tag=birds", "/shares?tag=birds", "/share/AAAAAAAAAAAAAAAAAAAAAA/",
    "/share/AAAAAAAAAAAAAAAAAAAAAA/blob/\(String(repeating: "a", count: 64))",
    "/blob/\(String(repeating: "a", count: 64))", "/thumb/320/\(String(repeating: "b", count: 64))",
  ]

  private static let writes = [
    "/api/delete", "/api/restore", "/api/mark", "/api/album", "/api/album/move", "/api/searches", "/api/undo",
    "/api/same", "/api/hide",
    "/api/add",
    "/api/pull", "/sign-in", "/download", "/shares", "/shares/revoke", "/hidden",
  ]

  private static let bodies = [
    #"{"ids":[1]}"#, #"{"ids":[]}"#, #"{"ids":[-1,9223372036854775807]}"#, "{}", "null", "ids=1,-1,x",
    "q=tag:birds&days=30&title=x", "id=1",
    "password=x&to=/", "\u{0}",
    #"{"ids":[1],"rating":9}"#, #"{"ids":[1,1,2],"verdict":"same","pictures":["\u0000"]}"#,
    #"{"ids":[1],"tags":["+x","\u0000"],"note":"x"}"#, #"{"changes":[1,-1]}"#, #"{"tag":"x","show":"1"}"#,
    #"{"ids":[1],"album":"x","adds":true}"#, #"{"ids":[1],"album":"x","before":1,"toStart":true}"#,
    #"{"name":"x","filter":"("}"#,
    "--b\r\nContent-Disposition: form-data; name=\"text\"\r\n\r\nhello\r\n--b--\r\n",
  ]

  private static let tricks = [
    "%2e%2e", "../", "//", "%00", "%c0%ae", "%", "\u{0}", "\r\n", "é", "\\", "9223372036854775808", "-1", "1e400",
    "' OR 1=1",
    "<script>", "?", "&", "=", "#", "http://evil.example", "\t", "%25", "%F0%9F%90%B1", "*", "\"", "NULL", "[]",
  ]

  private static let fields = [
    "Host: evil.example", "Host:", "Origin: null", "Origin: http://evil.example", "Sec-Fetch-Site: cross-site",
    "Content-Length: 0", "Content-Length: 7", "Content-Length: -1", "Content-Length: 99999999999999999999",
    "Transfer-Encoding: chunked", "Transfer-Encoding: identity", "Expect: 100-continue", "Upgrade: websocket",
    "Connection: Upgrade", "Connection: close", "Range: bytes=0-", "Range: bytes=9-1,5-",
    "Range: bytes=-99999999999999999999",
    "If-None-Match: *", "If-Range: \"x\"", "Cookie: media-0=x", "Cookie: ;;;=;", "Last-Event-ID: 1",
    "Last-Event-ID: x/y",
    "X-Forwarded-Host: evil.example", "X-Forwarded-Proto: https", "Accept: application/json",
    "X-HTTP-Method-Override: DELETE",
    "Content-Type: multipart/form-data; boundary=b", "Content-Type: application/json", "Content-Encoding: gzip",
    "X: \u{1}",
  ]

  private static let methods = [
    "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE", "PATCH", "CONNECT", "POST", "GET", "M-SEARCH", "x",
  ]

  private mutating func one(of list: [String]) -> String { list[dice.below(list.count)] }
  private mutating func isOne(in bound: Int) -> Bool { dice.below(bound) == 0 }

  /// The next request.
  mutating func next() -> Made {
    let isSignedIn = !isOne(in: 2)
    let isWrite = isOne(in: 4)
    var target = one(of: isWrite ? Self.writes : Self.targets)
    while isOne(in: 2) { target = changed(target) }
    let body = isWrite ? one(of: Self.bodies) : ""
    var method = isWrite ? "POST" : "GET"
    if isOne(in: 10) { method = one(of: Self.methods) }
    var lines = ["\(method) \(target) HTTP/\(isOne(in: 12) ? one(of: ["1.0", "2.0", "1.1 ", "", "11"]) : "1.1")"]
    if !isOne(in: 20) { lines.append("Host: \(host)") }
    if isSignedIn { lines.append(cookie) }
    if isWrite {
      lines += [
        "Origin: http://\(host)", "X-Media: 1", "Content-Length: \(body.utf8.count)", "Content-Type: application/json",
      ]
    }
    while isOne(in: 3) { lines.insert(one(of: Self.fields), at: dice.below(lines.count) + (isOne(in: 9) ? 0 : 1)) }
    var bytes = Array((lines + ["", body]).joined(separator: "\r\n").utf8)
    while isOne(in: 4) { bytes.mutate(with: "%/.\r\n\0 :?&=\"\\{}", &dice) }
    if isOne(in: 30) { bytes = Array(bytes.prefix(dice.below(bytes.count + 1))) }
    return Made(bytes: bytes, isSignedIn: isSignedIn)
  }

  private mutating func changed(_ target: String) -> String {
    let trick =
      isOne(in: 40) ? String(repeating: one(of: Self.tricks), count: 1 + dice.below(3_000)) : one(of: Self.tricks)
    let letters = Array(target)
    let index = dice.below(letters.count + 1)
    let rest = letters.dropFirst(index + (isOne(in: 2) ? 1 : 0))
    return String(letters.prefix(index)) + trick + String(rest)
  }
}
