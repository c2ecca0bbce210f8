import Machine

extension String {
  /// Percent-encoded for a value of a query (RFC 3986, 3.4).
  package var queryEncoded: String { percentEncoded(keeping: ":@/") }
}
