#!/bin/sh
# toot prints one page per call; its user writes the loop.
#   toot.sh TOOT BASE PAGES OUT
set -eu
toot=$1 base=$2 pages=$3
export XDG_CONFIG_HOME="$4"
cd "$4"
mkdir -p toot
cat >toot/config.json <<END
{"apps":{"bench":{"instance":"bench","base_url":"$base","client_id":"","client_secret":""}},
"users":{"u@bench":{"instance":"bench","username":"u","access_token":"bench-token"}},"active_user":"u@bench"}
END
id='' n=0
while [ "$n" -lt "$pages" ]; do
  "$toot" timelines tag bench --json --limit 40 ${id:+--max-id "$id"} >"$n.page"
  id=$(jq -r '.[-1].id // empty' "$n.page")
  [ -n "$id" ] || break
  n=$((n + 1))
done
