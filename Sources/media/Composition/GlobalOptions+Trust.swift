import FoundationEssentials

extension GlobalOptions {
  /// The environment with the authorities of `--ca-file`, which override `CURL_CA_BUNDLE`. Throws here, where the file's
  /// name is known, if it contains no certificate: a later error would only say that no server can be trusted.
  func trust(in environment: [String: String]) throws -> [String: String] {
    guard let authorities else { return environment }
    if NoSuchFile.isMissing(authorities) { throw NoSuchFile(path: authorities) }
    guard let bytes = FileManager.default.contents(atPath: authorities),
      bytes.firstRange(of: "-----BEGIN CERTIFICATE-----".utf8) != nil
    else {
      throw UsageError(
        "\(authorities) holds no certificate", cure: "name a readable file in PEM form after --ca-file")
    }
    // A scheduled harvest runs in another folder.
    let path = URL(fileURLWithPath: authorities).standardized.path
    return environment.merging(["CURL_CA_BUNDLE": path]) { _, given in given }
  }
}
