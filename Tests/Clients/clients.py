"""Uses the demo server at URL as clients of others do: logs in, reads #demo, which has POSTS posts, to its end.

    clients.py URL POSTS TOOT   TOOT is the program
"""
import html, json, re, subprocess, sys, urllib.parse, urllib.request
from mastodon import Mastodon
from mastodon.errors import MastodonUnauthorizedError

server, posts, toot = sys.argv[1], int(sys.argv[2]), sys.argv[3]


def code_for(url, person="mira"):
    """What a person does: log in, say yes, copy the code."""
    address, query = url.split("?", 1)
    fields = dict(urllib.parse.parse_qsl(query))
    page = post(address, fields | {"username": person, "password": "demo"})
    ticket = re.search(r'name="ticket" value="([^"]+)"', page).group(1)
    page = post(address, fields | {"ticket": ticket, "decision": "approve"})
    return html.unescape(re.search(r'id="code">([^<]+)<', page).group(1))


def post(address, fields):
    body = urllib.parse.urlencode(fields).encode()
    return urllib.request.urlopen(address, body).read().decode()


def check(claim, holds):
    print(("ok    " if holds else "FAILS ") + claim)
    if not holds:
        sys.exit(1)


# Mastodon.py
client_id, secret = Mastodon.create_app("check", scopes=["read"], api_base_url=server)
client = Mastodon(client_id, secret, api_base_url=server, ratelimit_method="throw")
url = client.auth_request_url(scopes=["read"], allow_http=True)
client.log_in(code=code_for(url), scopes=["read"], allow_http=True)
check("Mastodon.py logs in with the pasted code", client.account_verify_credentials().username == "mira")

page, seen = client.timeline_hashtag("demo", limit=40), []
while page:
    seen += page
    page = client.fetch_next(page)
check(f"Mastodon.py walks #demo: {len(seen)} posts", len(seen) == posts == len({status.id for status in seen}))
check("newest first", [status.id for status in seen] == sorted((status.id for status in seen), reverse=True))

upward, page = [], client.timeline_hashtag("demo", limit=17, min_id=seen[-1].id)
while page:
    upward = page + upward
    page = client.fetch_previous(page)
check("fetch_previous walks it upwards", [status.id for status in upward] == [status.id for status in seen[:-1]])

person = client.account_lookup("birds@photo.example")
check("lookup finds a remote person", person.display_name == "Birds of the Bay")
statuses = client.account_statuses(person.id, limit=5)
check("account_statuses", statuses and all(status.account.id == person.id for status in statuses))
check("status", client.status(seen[3].id).uri == seen[3].uri)
wanted = [status.id for status in seen[:5]]
check("statuses in one request", [status.id for status in client.statuses(wanted)] == wanted)
check("history", len(client.status_history(seen[0].id)) >= 1)
check("context", client.status_context(seen[0].id).ancestors == [])
found = client.search("cats")
check("search finds people, posts and tags", found.hashtags and found.statuses)
check("instance", client.instance().title and client.custom_emojis()[0].shortcode == "blobcat")
check("public timeline", len(client.timeline_public(limit=40)) == 40)
check("local timeline", all("@" not in s.account.acct for s in client.timeline_local(limit=40)))
client.revoke_access_token(allow_http=True)
try:
    Mastodon(access_token=client.access_token or "gone", api_base_url=server).account_verify_credentials()
    check("a revoked token is refused", False)
except MastodonUnauthorizedError:
    check("a revoked token is refused", True)

# toot
login = subprocess.Popen([toot, "login", "--instance", server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
lines = iter(login.stdout.readline, "")
url = next(line.strip() for line in lines if "/oauth/authorize" in line)
login.stdin.write("n\n" + code_for(url, "katya") + "\n")
login.stdin.close()
rest = login.stdout.read()
check("toot logs in with the pasted code", login.wait() == 0 and "Successfully logged in" in rest)


def run(*words):
    return subprocess.run([toot, *words], capture_output=True, text=True, check=True).stdout


check("toot whoami", "katya" in run("whoami"))
listed = json.loads(run("timelines", "tag", "demo", "--limit", "40", "--json"))
check("toot reads the tag", [s["id"] for s in listed] == [str(s.id) for s in seen[:40]])
check("toot prints the tag as text", len(run("timelines", "tag", "cats", "--limit", "5", "--no-pager").splitlines()) > 20)
check("toot searches", "cats" in run("search", "cats"))
check("toot shows a post", run("status", str(seen[0].id)).strip())
