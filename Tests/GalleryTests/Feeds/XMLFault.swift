import Foundation
import FoundationXML

/// Why libxml2 refuses a document.
final class XMLFault: NSObject, XMLParserDelegate {
  private(set) var message: String?

  init(of document: Data) {
    super.init()
    let parser = XMLParser(data: document)
    parser.delegate = self
    if !parser.parse() {
      message = message ?? "\(parser.parserError.map { "\($0)" } ?? "unknown") line \(parser.lineNumber)"
    }
  }

  func parser(_ parser: XMLParser, parseErrorOccurred parseError: any Error) {
    message = message ?? "\(parseError) in line \(parser.lineNumber)"
  }
}

extension String {
  /// What XMLParser says of it, nil if it is well-formed.
  var xmlFault: String? { XMLFault(of: Data(utf8)).message }
}
