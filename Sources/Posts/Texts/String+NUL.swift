import Glibc

extension String {
  /// Whether it contains NUL, at which databases and C end a text. Must be fast: it runs for every text of every page.
  public var holdsNUL: Bool {
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
    return found ?? utf8.contains(0)
  }
}
