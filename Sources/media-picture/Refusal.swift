import Terminal

/// Why a picture is not drawn, in words that end a sentence.
struct Refusal: Error {
  let words: Inert

  init(_ words: Inert) { self.words = words }
}
