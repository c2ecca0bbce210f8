/// Which elements of two lists are the same, by id.
struct Pairing {
  /// For each place in the new list its place in the old one; nil where it was not there.
  private(set) var old: [Int?] = []
  /// Places in the old list that have none in the new one, rising.
  let gone: [Int]

  /// Pairs the first element of an id with the first one of it, the second with the second, and so on.
  init<ID: Hashable>(from old: some RandomAccessCollection<ID>, to new: some RandomAccessCollection<ID>) {
    var unpaired: [ID: Int] = Dictionary(minimumCapacity: old.count)
    var following = [Int?](repeating: nil, count: old.count)
    for (place, id) in old.enumerated().reversed() {
      following[place] = unpaired.updateValue(place, forKey: id)
    }
    var stays = [Bool](repeating: false, count: old.count)
    self.old.reserveCapacity(new.count)
    for id in new {
      let place = unpaired[id]
      self.old.append(place)
      if let place {
        stays[place] = true
        unpaired[id] = following[place]
      }
    }
    gone = stays.indices.filter { !stays[$0] }
  }
}
