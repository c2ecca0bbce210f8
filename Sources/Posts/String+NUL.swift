import Glibc

extension String {
  /// Whether it holds NUL, at which databases and C end a text. Every text of every page is asked.
  public var holdsNUL: Bool {
    let found = utf8.withContiguousStorageIfAvailable { bytes in
      bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    }
    return found ?? utf8.contains(0)
  }
}
