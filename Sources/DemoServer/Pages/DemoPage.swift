import HTTPTypes
import Hummingbird
import Web

/// The frame of every page: one column, the colours of the reader's system.
enum DemoPage {
  static func html(_ title: String, _ body: HTML) -> HTML {
    """
    <!doctype html>
    <html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>\(title)</title><style>\(style)</style></head>
    <body><main>\(body)</main></body></html>

    """
  }

  /// A page with only a message.
  static func message(_ title: String, _ text: String) -> HTML {
    html(title, "<section class=\"card\"><h1>\(title)</h1><p>\(text)</p></section>")
  }

  static func error(_ status: HTTPResponse.Status) -> Response {
    Response(
      html: message("\(status.code) \(status.reasonPhrase)", "There is nothing at this address."),
      status: status
    )
  }

  private static let style: HTML = """
    :root{color-scheme:light dark;--ink:#1d2433;--soft:#5f6b80;--card:#fff;--ground:#eef2f7;--line:#dbe2ec;--sea:#2b6cb0}
    @media(prefers-color-scheme:dark){:root{--ink:#e8ecf4;--soft:#9aa7bd;--card:#1b2230;--ground:#121722;--line:#2c3648;--sea:#7fb4ea}}
    *{box-sizing:border-box}body{margin:0;background:var(--ground);color:var(--ink);font:16px/1.55 system-ui,sans-serif}
    main{max-width:38rem;margin:0 auto;padding:2rem 1rem}h1{font-size:1.5rem;margin:0 0 .75rem}a{color:var(--sea)}
    .card{background:var(--card);border:1px solid var(--line);border-radius:14px;padding:1.25rem;margin:0 0 1rem;overflow-wrap:anywhere}
    .who{display:flex;gap:.75rem;align-items:center;text-decoration:none;color:inherit}.who img{border-radius:10px}
    .soft{color:var(--soft);font-size:.9rem}.invisible{display:none}.ellipsis::after{content:"…"}
    .pictures{display:grid;gap:6px;grid-template-columns:repeat(auto-fit,minmax(45%,1fr))}
    .pictures img{width:100%;height:100%;object-fit:cover;border-radius:10px;display:block}
    label{display:block;margin:.9rem 0 .3rem;font-weight:600}
    input,select,button{font:inherit;width:100%;padding:.65rem .8rem;border:1px solid var(--line);border-radius:10px;background:var(--ground);color:inherit}
    button{margin-top:1rem;background:var(--sea);color:#fff;border:0;font-weight:600;cursor:pointer}
    button.plain{background:none;color:var(--soft);border:1px solid var(--line)}
    .trouble{background:#b3261e;color:#fff;border-radius:10px;padding:.6rem .8rem}
    #code{display:block;user-select:all;font:600 1.25rem/1.6 ui-monospace,monospace;background:var(--ground);border:2px dashed var(--sea);border-radius:10px;padding:1rem;margin:1rem 0;text-align:center}
    """
}
