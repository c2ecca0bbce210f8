import FoundationEssentials
import Web

/// The page with the form for a post made by hand. `add.js` shows the same form where something is dropped or pasted.
struct AddPage {
  let fields: Fields
  let isReadOnly: Bool
  let now: Date

  var html: HTML {
    let form = EntryFields(fields, now: now)
    return PageFrame.html(
      "Add a post", .add, scripts: isReadOnly ? [] : ["add.js"],
      "<main class=\"page\"><h1>Add a post</h1>\(isReadOnly ? LoginPage.refusal : form.html)</main>")
  }
}
