import Foundation
import HTTP
import Testing

/// A user of the demo's pages: chooses a name, allows access, reads the code.
struct Visitor {
  private let browser = Session(agent: "visitor", environment: [:])

  func code(from page: String) async throws -> String {
    let origin = try #require(page.firstMatch(of: /^(http:\/\/[^\/]+)\//)).1
    let login = try await html(Request(.get, page))
    #expect(login.contains("password"))
    let person = [("username", "mira"), ("password", "demo")]
    let consent = try await html(.form("\(origin)/oauth/authorize", hidden(login) + person))
    #expect(consent.contains("Authorize"))
    let last = try await html(.form("\(origin)/oauth/authorize", hidden(consent) + [("decision", "approve")]))
    return String(try #require(last.firstMatch(of: /id="code">([^<]+)</)).1)
  }

  private func html(_ request: Request) async throws -> String {
    let answer = try await browser.transport.send(request)
    #expect(answer.status == 200)
    return String(decoding: answer.body, as: UTF8.self)
  }

  private func hidden(_ page: String) -> [(String, String)] {
    page.matches(of: /<input type="hidden" name="([^"]+)" value="([^"]*)">/).map { match in
      let value = match.2.replacing("&quot;", with: "\"").replacing("&lt;", with: "<").replacing("&amp;", with: "&")
      return (String(match.1), String(value))
    }
  }
}
