import ArgumentParser
import Services

/// What a command that pulls leaves out.
struct PictureOptions: ParsableArguments {
  @Flag(help: "Do not download the posts' pictures.")
  var noPictures = false

  @Flag(help: "Do not download the authors' avatars.")
  var noAvatars = false
}

/// What a command that pulls may spend.
struct BudgetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The maximum cost of reading a feed, in dollars (x). Requests that might exceed it are not sent.",
      valueName: "dollars"))
  var budget: String?

  /// The amount; nil if there is no limit.
  var price: Price? { budget.flatMap { Price($0) } }

  func validate() throws {
    guard let budget, price == nil else { return }
    throw ValidationError("--budget \(budget) is not a sum in dollars, write one such as 1.50")
  }
}
