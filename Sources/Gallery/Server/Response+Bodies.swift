import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Web

extension Response {
  /// A page.
  init(html: HTML, status: HTTPResponse.Status = .ok) {
    self.init(
      status: status, headers: [.contentType: "text/html; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(string: html.markup)))
  }

  /// A page with a form that is sent without scripts. With "no-referrer" the browser would not tell the form's origin.
  var withForm: Response {
    var answer = self
    answer.headers[.referrerPolicy] = "same-origin"
    return answer
  }

  /// A value as JSON.
  init(json value: some Encodable, status: HTTPResponse.Status = .ok) {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    // Values of the gallery's own types always encode.
    let body = (try? encoder.encode(value)) ?? Data()
    self.init(
      status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
      body: ResponseBody(byteBuffer: ByteBuffer(bytes: body)))
  }
}

extension Request {
  /// The part after the question mark.
  var fields: Fields { Fields(form: uri.query ?? "") }
}
