import Terminal

/// Why a picture is not drawn, as text that ends a sentence.
struct Refusal: Error {
  let words: Inert

  init(_ words: Inert) { self.words = words }
}
