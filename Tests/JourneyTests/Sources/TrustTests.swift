import Foundation
import Testing

/// Whose certificates the command trusts.
@Suite(.timeLimit(.minutes(10))) struct TrustTests {
  /// Runs a pull at a server whose certificate, of an unknown authority, is for 127.0.0.1; `%` in the arguments stands for
  /// its port.
  private func pull(_ words: String, answer: String = "200 OK\r\n\r\n[]") async throws -> Ended {
    let sandbox = try Sandbox(ceiling: Sandbox.narrow)
    let made = try await sandbox.bash(
      """
      cd "$HOME" && mkdir -p api/v1/timelines/tag && printf 'HTTP/1.0 \(answer)' >'api/v1/timelines/tag/cats?limit=40'
      openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=test \
        -addext subjectAltName=IP:127.0.0.1 -keyout key.pem -out ca.pem 2>/dev/null
      openssl s_server -accept 127.0.0.1:0 -cert ca.pem -key key.pem -HTTP >served 2>&1 </dev/null &
      server=$!
      trap 'kill $server' EXIT
      until port=$(sed -n 's/^ACCEPT .*:\\([0-9]*\\)$/\\1/p' served) && [ "$port" ]; do kill -0 $server || exit; sleep 0.02; done
      "$MEDIA" \(words.replacing("%", with: "$port"))
      """)
    return made
  }

  @Test func `a certificate of an unknown authority is 69`() async throws {
    expect(
      try await pull("tag cats --server https://127.0.0.1:%"), fails: 69, saying: "its certificate",
      "name the PEM file of its authority with --ca-file", output: true)
  }

  @Test func `an authority that --ca-file names is believed`() async throws {
    let ended = try await pull("tag cats --json --ca-file ca.pem --server https://127.0.0.1:%")
    #expect(ended.status == 0, "\(ended.errors)")
  }

  @Test func `a certificate for another name is 69, whoever signed it`() async throws {
    expect(
      try await pull("tag cats --ca-file ca.pem --server https://localhost:%"), fails: 69, saying: "its certificate",
      output: true)
  }

  @Test func `a way from https to http is 65`() async throws {
    let answer = "302 Found\r\nLocation: http://127.0.0.1:9/\r\n\r\n"
    expect(
      try await pull("tag cats --ca-file ca.pem --server https://127.0.0.1:%", answer: answer), fails: 65,
      saying: "it leads from https to http", output: true)
  }

  @Test(arguments: [
    ("nowhere.pem", Int32(74), "there is no nowhere.pem"), ("key.pem", 64, "key.pem holds no certificate"),
  ])
  func `a file that is not there is 74, one without a certificate 64, and nothing is asked`(
    file: String, code: Int32, word: String
  ) async throws {
    let ended = try await pull("tag cats --ca-file \(file) --server https://127.0.0.1:%")
    #expect(ended.status == code && ended.errors.contains(word), "\(ended.errors)")
  }
}
