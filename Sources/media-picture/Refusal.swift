/// Why a picture is not drawn, in words that end a sentence.
struct Refusal: Error {
  let words: String

  init(_ words: String) { self.words = words }
}
