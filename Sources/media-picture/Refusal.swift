import Machine
import Terminal

/// Why a picture is not drawn, as text that ends a sentence.
struct Refusal: Error {
  let message: SafeText
  /// Whether a library is missing here: it says nothing of the file.
  let isOfMachine: Bool

  init(_ message: SafeText) { (self.message, isOfMachine) = (message, false) }

  /// - Parameter message: What is missing here, and what installs it.
  init(ofMachine message: SafeText) { (self.message, isOfMachine) = (message, true) }

  /// - Parameter library: The file of a library that is not installed.
  init(missing library: String) { (message, isOfMachine) = ("\(SystemLibrary.missing(library))", true) }
}
