import ArgumentParser
import Services

/// What a command that pulls leaves out.
struct PictureOptions: ParsableArguments {
  @Flag(help: "Leave the posts' pictures where they are.")
  var noPictures = false

  @Flag(help: "Leave the authors' avatars where they are.")
  var noAvatars = false
}

/// What a command that pulls may spend.
struct BudgetOption: ParsableArguments {
  @Option(
    help: ArgumentHelp(
      "The most that what is read of a feed may cost, in dollars (x): what might cost more is not asked for.",
      valueName: "dollars"))
  var budget: String?

  /// The amount; nil if there is no limit.
  var price: Price? { budget.flatMap { Price($0) } }

  func validate() throws {
    guard let budget, price == nil else { return }
    throw ValidationError("--budget \(budget) is no sum in dollars, write one such as 1.50")
  }
}
