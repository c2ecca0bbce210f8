import MediaLibrary
import Terminal

/// A filter that is being typed, and what can complete it.
struct FilterField: Sendable, Equatable {
  private(set) var field: TextField
  /// What is offered for the end of the text.
  private(set) var offers: [FilterCompletion.Offer] = []
  /// The offer in the field.
  private(set) var offerIndex: Int?

  init(text: String = "") { field = TextField(text: text) }

  /// What Tab does.
  enum Tab: Equatable {
    /// Completes the text.
    case complete
    /// Sends the words to the list's server.
    case ask
    case none
  }

  /// Handles an editing key. Returns whether it was one.
  mutating func handle(_ key: Key) -> Bool {
    guard field.handle(key) else { return false }
    dropOffers()
    return true
  }

  mutating func insert(_ pasted: String) {
    field.insert(pasted)
    dropOffers()
  }

  mutating func dropOffers() { (offers, offerIndex) = ([], nil) }

  /// What Tab does with the text now. A word that begins no key is one for the list's server, if that can search.
  func tab(canAsk: Bool) -> Tab {
    let completion = FilterCompletion(of: field.text)
    if completion.key != nil { return .complete }
    let areWords = (try? Filter(parsing: field.trimmed))?.terms.isEmpty == true
    if !completion.beginning.isEmpty, !completion.keys.isEmpty { return .complete }
    if !field.trimmed.isEmpty, areWords { return canAsk ? .ask : .none }
    return completion.keys.isEmpty ? .none : .complete
  }

  /// Takes what is offered: a single offer at once, of several as much as they have in common.
  mutating func take(_ offers: [FilterCompletion.Offer]) {
    (self.offers, offerIndex) = (offers.count > 1 ? offers : [], nil)
    guard let first = offers.first?.text else { return }
    let common = offers.dropFirst().reduce(first) { $0.commonPrefix(with: $1.text) }
    if common.count > field.text.count { field = TextField(text: common) }
  }

  /// Puts the next offer into the field, or the one before.
  mutating func walk(_ step: Int) {
    guard !offers.isEmpty else { return }
    let next = offerIndex.map { $0 + step } ?? (step > 0 ? 0 : offers.count - 1)
    offerIndex = (next + offers.count) % offers.count
    field = TextField(text: offers[offerIndex ?? 0].text)
  }
}

extension String {
  fileprivate func commonPrefix(with other: String) -> String {
    String(zip(self, other).prefix { $0 == $1 }.map(\.0))
  }
}

extension ListScreen {
  /// What is offered, directly above the field.
  func drawOffers(_ filter: FilterField, into page: inout Canvas) {
    drawChoices(filter.offers.map { SafeText($0.term) }, chosen: filter.offerIndex, into: &page) {
      SafeText(filter.offers[$0].help)
    }
  }
}
