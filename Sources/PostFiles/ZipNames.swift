import Blobs

/// Gives files of an archive different names. It keeps hashes of them: names that share one by chance are told apart by a
/// number that neither needs.
struct ZipNames {
  private var taken: Set<Int> = []
  /// Names as they were wanted, with the bytes that got them.
  private var given: Set<Int> = []
  /// The last number of a name that several wanted.
  private var numbers: [Int: Int] = [:]

  /// The path for a file.
  ///
  /// - Returns: Nil if the same bytes have the name.
  mutating func path(of file: NamedFile, _ blob: BlobID) -> String? {
    let folder = file.folders.map { "\($0.text)/" }.joined()
    let wanted = FileName.folded(folder + file.name.text).hashValue
    var both = Hasher()
    both.combine(wanted)
    both.combine(blob)
    guard given.insert(both.finalize()).inserted else { return nil }
    var number = numbers[wanted] ?? 1
    while true {
      let path = folder + (number == 1 ? file.name : file.name.marked("~\(number)")).text
      if taken.insert(FileName.folded(path).hashValue).inserted {
        if number > 1 { numbers[wanted] = number }
        return path
      }
      number += 1
    }
  }

  /// The path for a file of the archive's own.
  mutating func path(of name: String) -> String {
    var name = FileName(stem: name, ending: "txt")
    while !taken.insert(FileName.folded(name.text).hashValue).inserted { name = name.marked("~2") }
    return name.text
  }
}
