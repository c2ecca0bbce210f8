import Terminal

/// Why a picture is not drawn, as text that ends a sentence.
struct Refusal: Error {
  let message: SafeText

  init(_ message: SafeText) { self.message = message }
}
