import Foundation
import Terminal

extension GlobalOptions {
  /// The environment with the authorities that `--ca-file` names, which go before those of `CURL_CA_BUNDLE`. A file that
  /// holds none is refused here, where its name is known: later it would only be said that no server can be trusted.
  func trust(in environment: [String: String]) throws(UsageError) -> [String: String] {
    guard let authorities else { return environment }
    guard let bytes = FileManager.default.contents(atPath: authorities),
      bytes.range(of: Data("-----BEGIN CERTIFICATE-----".utf8)) != nil
    else {
      throw UsageError(
        "\(authorities) holds no certificate", cure: "name a readable file in PEM form behind --ca-file")
    }
    // A harvest that is scheduled runs in another folder.
    let path = URL(fileURLWithPath: authorities).standardized.path
    return environment.merging(["CURL_CA_BUNDLE": path]) { _, given in given }
  }
}
