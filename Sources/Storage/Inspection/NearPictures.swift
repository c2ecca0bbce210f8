import Blobs
import Rows

/// Groups all pictures by their difference hashes in memory, at any distance up to 8.
struct NearPictures {
  private struct Picture {
    let file: Int64
    let difference: UInt64
    let width: Int
    let height: Int
    /// Milliseconds; nil for a still picture.
    let duration: Int?
  }

  private let pictures: [Picture]
  /// Pairs that the person told apart.
  private var different: [Int64: Set<Int64>] = [:]

  init(in db: Database) throws {
    pictures = try db.rows("SELECT blob, difference, width, height, duration FROM picture_hash ORDER BY blob") {
      Picture(
        file: try $0["blob"], difference: UInt64(bitPattern: try $0["difference"]), width: try $0.number("width"),
        height: try $0.number("height"), duration: try $0.duration())
    }
    try db.rows(
      """
      SELECT b.id AS one, c.id AS other FROM same_verdict v JOIN blob b ON b.sha256 = v.one
        JOIN blob c ON c.sha256 = v.other WHERE v.verdict = 'different'
      """
    ) { row in
      let (one, other) = (try row["one"] as Int64, try row["other"] as Int64)
      different[one, default: []].insert(other)
      different[other, default: []].insert(one)
    }
  }

  /// Groups of more than one picture. Each picture is compared with the first of each group.
  func groups(within distance: Int) -> [[Int64]] {
    let bits = distance < HashPart.all.count ? 0 : 1
    var (groups, firsts): ([[Int64]], [Picture]) = ([], [])
    var parts = [[UInt64: [Int]]](repeating: [:], count: HashPart.all.count)
    for picture in pictures {
      var nearest: (distance: Int, group: Int)?
      for (index, part) in HashPart.all.enumerated() {
        for value in part.values(near: picture.difference, changing: bits) {
          for group in parts[index][value] ?? [] {
            let found = PictureHash.distance(firsts[group].difference, picture.difference)
            guard found <= distance, found < nearest?.distance ?? .max, hasForm(firsts[group], picture),
              different[picture.file].map({ $0.isDisjoint(with: groups[group]) }) ?? true
            else { continue }
            nearest = (found, group)
          }
        }
      }
      if let nearest {
        groups[nearest.group].append(picture.file)
        continue
      }
      for (index, part) in HashPart.all.enumerated() {
        parts[index][part.values(near: picture.difference, changing: 0)[0], default: []].append(groups.count)
      }
      groups.append([picture.file])
      firsts.append(picture)
    }
    return groups.filter { $0.count > 1 }
  }

  private func hasForm(_ one: Picture, _ other: Picture) -> Bool {
    PictureHash.haveOneForm((one.width, one.height), (other.width, other.height))
      && PictureHash.Film.haveOneLength(one.duration, other.duration)
  }
}
