import Web

/// The form for a post made by hand. `add.js` shows the same form where something is dropped or pasted.
struct AddPage {
  let fields: Fields
  let isReadOnly: Bool

  var html: HTML {
    Page.html(
      "Add a post", .add, scripts: isReadOnly ? [] : ["add.js"],
      "<main class=\"page\"><h1>Add a post</h1>\(isReadOnly ? LoginPage.refusal : form)</main>")
  }

  private var form: HTML {
    """
    <form id="add" class="card fields">
    <div><label for="add-text">Text</label>
    <textarea id="add-text" name="text" rows="5" dir="auto" aria-describedby="add-rule">\(fields["text"] ?? "")</textarea>
    <p class="soft" id="add-rule">At least 3 characters, unless there are files.</p></div>
    <div><label for="add-title">Title</label><input id="add-title" name="title" dir="auto" autocomplete="off"></div>
    <div class="row"><div><label for="add-start">Start</label>
    <input id="add-start" name="start" type="datetime-local"><p class="soft">Now, if empty.</p></div>
    <div><label for="add-finish">Finish</label><input id="add-finish" name="finish" type="datetime-local"></div></div>
    <div><label for="add-tags">Tags</label>
    <input id="add-tags" name="tags" placeholder="cats garden" value="\(fields["tags"] ?? "")" dir="auto" \
    autocapitalize="none" autocomplete="off"></div>
    <div><label for="add-files">Files</label>
    <input id="add-files" name="files" type="file" multiple>
    <ul class="chosen"></ul>
    <p class="soft">Or drop files anywhere, or paste a picture.</p></div>
    <p class="answer" role="status"></p>
    <p><button class="primary">Add</button></p>
    <noscript><p class="notice bad">This form needs JavaScript. In a terminal: <code>media add TEXT --attach FILE</code>.\
    </p></noscript>
    </form>
    """
  }
}
