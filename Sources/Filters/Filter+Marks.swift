extension Filter {
  /// Whether it asks what the person has made of posts, so that it tells of the person whose library it is.
  package var asksMarks: Bool {
    terms.contains { term in
      term.key.asksMarks || term.values.contains { Self.marks[term.key]?.contains($0) ?? false }
    }
  }

  private static let marks: [FilterKey: Set<FilterValue>] = [
    .is: [.word("favourite"), .word("hidden"), .word("seen"), .word("unseen"), .word("copy"), .word("elsewhere")],
    .has: [.word("note"), .word("gps")], .sort: [.word("rating")],
  ]
}

extension FilterKey {
  /// Whether all of its values ask what the person has made of posts, where pictures were taken, what other posts show, or what
  /// machines found.
  package var asksMarks: Bool {
    [.own, .album, .saved, .rating, .near, .place, .country, .like, .machine].contains(self)
  }
}
