#!/bin/sh
# The job with command line tools: curl, sqlite3, openssl, perl.
#   pipeline.sh BASE PAGES OUT WORKERS HERE     no WORKERS: posts alone
set -eu
base=$1 pages=$2 out=$3 workers=$4 here=$5
mkdir -p "$out/store" "$out/in"
cd "$out"
sqlite3 posts.db <"$here/schema.sql"
known=$(sqlite3 posts.db 'select coalesce(max(id),0) from posts')
url="$base/api/v1/timelines/tag/bench?limit=40"
[ "$known" = 0 ] || url="$url&since_id=$known"
n=0
rm -f in/*.page
while [ -n "$url" ] && [ "$n" -lt "$pages" ]; do
  curl -fsS --retry 3 -H 'Authorization: Bearer bench-token' -D in/head -o "in/$n.page" "$url"
  url=$(sed -n 's/^[Ll]ink: <\([^>]*\)>; rel="next".*/\1/p' in/head)
  [ "$known" = 0 ] || [ -z "$url" ] || url="$url&since_id=$known"
  n=$((n + 1))
done
{ echo 'create temp table page(name);'
  for f in in/*.page; do echo "insert into page values('$f');"; done
  echo 'begin;'; cat "$here/load_pages.sql"; echo 'commit;'; } | sqlite3 posts.db
[ "$workers" != 0 ] || exit 0
sqlite3 posts.db "select 'url = \"'||url||'\"'||char(10)||'output = \"in/'||id||'.part\"'
  from media where sha256 is null" >in/get
[ -s in/get ] || exit 0
curl -fsS --retry 3 --parallel --parallel-max "$workers" --config in/get
{ echo 'begin;'
  openssl dgst -sha256 -r in/*.part | perl -ne '
    /^(\w+) \*?in\/(\d+)\.part/ or next;
    rename("in/$2.part", "store/$1") or die;
    print "update media set sha256=\x27$1\x27 where id=$2;\n"'
  echo 'commit;'; } | sqlite3 posts.db
