/// Which elements of two lists are the same, by id.
struct Pairing {
  /// For each index in the new list, the index in the old one; nil if the element is new.
  private(set) var old: [Int?] = []
  /// Indices in the old list of elements that are not in the new one, ascending.
  let removed: [Int]

  /// Pairs the first element with an id with the first of the other list with that id, the second with the second, and so
  /// on.
  init<ID: Hashable>(from old: some RandomAccessCollection<ID>, to new: some RandomAccessCollection<ID>) {
    var unpaired: [ID: Int] = Dictionary(minimumCapacity: old.count)
    var following = [Int?](repeating: nil, count: old.count)
    for (index, id) in old.enumerated().reversed() {
      following[index] = unpaired.updateValue(index, forKey: id)
    }
    var stays = [Bool](repeating: false, count: old.count)
    self.old.reserveCapacity(new.count)
    for id in new {
      let index = unpaired[id]
      self.old.append(index)
      if let index {
        stays[index] = true
        unpaired[id] = following[index]
      }
    }
    removed = stays.indices.filter { !stays[$0] }
  }
}
