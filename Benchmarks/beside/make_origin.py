"""Makes up what the origin of the benchmark serves: posts as a Mastodon server sends them, and their pictures.

    make_origin.py FOLDER [--posts N] [--each N] [--media-kb LOW..HIGH] [--reblogs SHARE] [--repeated SHARE]

The same arguments give the same bytes on any machine. FOLDER gets
    statuses.ndjson   one status a line, newest first; @BASE@ stands for the server's address, filled in as it is served
    accounts.ndjson   one account a line
    truth.tsv         one picture a line: place of its post (0 is the newest), id of the post, 1 in a boost, position,
                      path, bytes, SHA-256
    system/           the pictures, their previews and the avatars
    made              the arguments and the totals, written last
"""
import argparse
import hashlib
import html
import json
import os
import random
import shutil
import struct
import zlib
from datetime import datetime, timezone

NEWEST = 1788264000000  # 2026-09-01T12:00:00Z, in milliseconds
TAG = "bench"
REMOTE = ["fedi.example", "photo.example", "kunst.example", "social.example", "art.example"]
SYLLABLES = (
    "ba be bi bo bu da de di do du fa fe fi ga ge go ka ke ki ko la le li lo lu ma me mi mo mu "
    "na ne ni no nu pa pe pi po ra re ri ro ru sa se si so su ta te ti to tu va ve vi vo za ze zi"
).split()
ARABIC = "صورة البحر شمس الصباح مدينة قديمة ضوء المساء جبل نهر طريق سماء".split()
HEBREW = "תמונה אור בוקר ים עיר ישנה רחוב שמיים הר נחל ערב צל".split()
KANA = "ひかり そら うみ やま かわ まち ゆうやけ あさ しずか かぜ 写真 散歩".split()
EMOJI = ["😀", "🌅", "📷", "🐈‍⬛", "👩🏽‍🚀", "🏳️‍🌈", "🇮🇸", "❤️", "🌲", "✨", "🧑‍🎨", "1️⃣"]
LATIN = "Straße naïve Ærø œuvre façade Żółw São Привет Ελλάδα".split()
AWKWARD = [
    "5 < 7 && 9 > 3", 'Tom & "Jerry"', "it's <b>not bold</b>", "a\u00a0non-breaking\u200bspace", "back\\slash \t tab",
]
RARE, COMMON = "zephyrine", "daylight"  # in one post of 1,000, and in one of 10
KINDS = [(0.62, "en"), (0.70, "ar"), (0.76, "he"), (0.84, "ja"), (0.92, "de"), (0.97, None), (1, "long")]


def made_up_words(rng, count=4000):
    words, seen = [], set()
    while len(words) < count:
        word = "".join(rng.choice(SYLLABLES) for _ in range(rng.randint(1, 4)))
        if word not in seen:
            seen.add(word)
            words.append(word)
    return words


class Jpeg:
    """Baseline 4:2:0 JPEGs put together from ready-made rows of macroblocks.

    Every row ends in a restart marker, which resets the decoder: any sequence of rows is a valid picture.
    """

    DC = {n: n for n in range(10)}  # codes of 4 bits
    AC = [0x00] + [(run << 4) | size for size in (1, 2, 3) for run in range(10)]  # codes of 5 bits

    def __init__(self, rng, width, rows=48):
        self.width = width
        self.rows = [self.row(rng) for _ in range(rows)]

    def row(self, rng):
        bits, count, before = 0, 0, [0, 0, 0]
        draw = rng.getrandbits
        for _ in range(self.width // 16):
            for component in (0, 0, 0, 0, 1, 2):
                step = rng.randint(-255, 255) // (1 if component == 0 else 3)
                if not -900 < before[component] + step < 900:
                    step = -step
                before[component] += step
                size = abs(step).bit_length()
                bits = (bits << 4) | size
                bits = (bits << size) | (step if step >= 0 else step + (1 << size) - 1)
                count += 4 + size
                place = 1
                for _ in range(4 if component == 0 else 1):
                    run, size = draw(2), 1 + draw(1)
                    place += run + 1
                    if place > 62:
                        break
                    bits = (bits << 5) | self.AC.index((run << 4) | size)
                    bits = (bits << size) | draw(size)
                    count += 5 + size
                bits <<= 5  # the end of a block is code 0
                count += 5
        rest = -count % 8
        bits = (bits << rest) | ((1 << rest) - 1)
        return bits.to_bytes((count + rest) // 8, "big").replace(b"\xff", b"\xff\x00")

    def make(self, rng, target):
        body, size, count = [], 330, 0
        while size < target or count < 4:
            row = self.rows[rng.randrange(len(self.rows))]
            body.append(row)
            body.append(bytes((0xFF, 0xD0 + count % 8)))
            size += len(row) + 2
            count += 1
        return self.head(count * 16) + b"".join(body[:-1]) + b"\xff\xd9", self.width, count * 16

    def head(self, height):
        def segment(marker, data):
            return bytes((0xFF, marker)) + struct.pack(">H", len(data) + 2) + data

        def huffman(kind, length, symbols):
            counts = bytes([len(symbols) if bits == length else 0 for bits in range(1, 17)])
            return segment(0xC4, bytes([kind]) + counts + bytes(symbols))

        parts = [b"\xff\xd8", segment(0xE0, b"JFIF\0\1\1\0\0\1\0\1\0\0"), segment(0xDB, b"\0" + bytes([8] + [6] * 63))]
        planes = bytes((1, 0x22, 0, 2, 0x11, 0, 3, 0x11, 0))
        parts.append(segment(0xC0, struct.pack(">BHHB", 8, height, self.width, 3) + planes))
        parts += [huffman(0x00, 4, list(self.DC)), huffman(0x10, 5, self.AC)]
        parts.append(segment(0xDD, struct.pack(">H", self.width // 16)))
        parts.append(segment(0xDA, bytes((3, 1, 0, 2, 0, 3, 0, 0, 63, 0))))
        return b"".join(parts)


def png(rng, target):
    width = 256
    height = max(16, (target - 100) // (width * 3 + 1))
    raw = b"".join(b"\0" + rng.randbytes(width * 3) for _ in range(height))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    data = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0))
    return data + chunk(b"IDAT", zlib.compress(raw, 0)) + chunk(b"IEND", b""), width, height


def iso(milliseconds):
    moment = datetime.fromtimestamp(milliseconds / 1000, timezone.utc)
    return moment.strftime("%Y-%m-%dT%H:%M:%S.") + "%03dZ" % (milliseconds % 1000)


def in_threes(number):
    text = str(number)
    return "/".join(text[at:at + 3] for at in range(0, 18, 3))


class Maker:
    def __init__(self, options):
        self.options = options
        self.rng = random.Random("1/base")
        self.words = made_up_words(self.rng)
        self.low, self.high = (int(float(kilobytes) * 1024) for kilobytes in options.media_kb.split(".."))
        self.big = [Jpeg(self.rng, width) for width in (960, 1280, 1600)]
        self.small, self.face = Jpeg(self.rng, 480), Jpeg(self.rng, 400)
        self.truth, self.stored, self.bytes, self.repeated = [], [], 0, 0
        self.emoji = [self.custom_emoji(number) for number in range(12)]
        self.accounts = [self.account(number) for number in range(400)]
        self.weights = [1 / (number + 1) ** 0.8 for number in range(400)]

    def place(self, path):
        whole = os.path.join(self.options.folder, path)
        os.makedirs(os.path.dirname(whole), exist_ok=True)
        return whole

    def put(self, path, data):
        with open(self.place(path), "wb") as file:
            file.write(data)

    def custom_emoji(self, number):
        path = f"system/custom_emojis/images/000/000/{number:03d}/original/{number:016x}.png"
        self.put(path, png(self.rng, 4000)[0])
        url = f"@BASE@/{path}"
        return {"shortcode": f"bench{number}", "url": url, "static_url": url, "visible_in_picker": True}

    def some_words(self, rng, count):
        return " ".join(rng.choice(self.words) for _ in range(count))

    def account(self, place):
        rng = random.Random(f"1/account/{place}")
        number = 109000000000000000 + place * 7919 + 1
        name = rng.choice(self.words) + rng.choice(self.words) + str(place)
        domain = rng.choice(REMOTE) if rng.random() < 0.8 else None
        home = "@BASE@" if domain is None else f"https://{domain}"
        cache = "" if domain is None else "cache/"
        path = f"system/{cache}accounts/avatars/{in_threes(number)}/original/{rng.randbytes(8).hex()}.jpg"
        self.put(path, self.face.make(rng, 24000)[0])
        shown = rng.choice([
            name.title(), f"{name} {rng.choice(EMOJI)}", " ".join(rng.sample(ARABIC, 2)), " ".join(rng.sample(KANA, 2)),
            f"{name.title()} & Söhne", f"{name} :bench{place % 12}:",
        ])
        link = f'<a href="https://{name}.example" rel="nofollow noopener me" target="_blank">{name}.example</a>'
        return {
            "id": str(number), "username": name, "acct": name if domain is None else f"{name}@{domain}",
            "display_name": shown, "locked": rng.random() < 0.1, "bot": rng.random() < 0.05, "discoverable": True,
            "indexable": rng.random() < 0.6, "group": False,
            "created_at": iso(NEWEST - rng.randint(10**9, 10**11))[:10] + "T00:00:00.000Z",
            "note": f"<p>{html.escape(self.some_words(rng, rng.randint(4, 40)))}</p>",
            "url": f"{home}/@{name}", "uri": f"{home}/users/{name}",
            "avatar": f"@BASE@/{path}", "avatar_static": f"@BASE@/{path}",
            "header": "@BASE@/headers/original/missing.png", "header_static": "@BASE@/headers/original/missing.png",
            "followers_count": rng.randint(0, 9000), "following_count": rng.randint(0, 2000),
            "statuses_count": rng.randint(1, 30000), "last_status_at": "2026-09-01", "hide_collections": False,
            "noindex": False, "emojis": [self.emoji[place % 12]] if ":bench" in shown else [], "roles": [],
            "fields": [{"name": "web", "value": link, "verified_at": None}] if rng.random() < 0.5 else [],
        }

    def original(self, rng):
        """A picture's file extension, bytes, width and height."""
        target = rng.randint(self.low, self.high)
        if rng.random() < 0.1:
            return ("png",) + png(rng, target)
        return ("jpg",) + rng.choice(self.big).make(rng, target)

    def picture(self, rng, moment, index, post, boost, position, remote):
        number = (moment << 16) + rng.getrandbits(14) * 4 + position
        folder = f"system/{'cache/' if remote else ''}media_attachments/files/{in_threes(number)}"
        again = self.stored and rng.random() < self.options.repeated
        if again:
            path, ending, size_of, size_of_small, size, digest = rng.choice(self.stored)
            self.repeated += 1
        else:
            ending, data, width, height = self.original(rng)
            size_of, size, digest = (width, height), len(data), hashlib.sha256(data).hexdigest()
        name = rng.randbytes(8).hex()
        original, small = f"{folder}/original/{name}.{ending}", f"{folder}/small/{name}.{ending}"
        if again:
            os.link(self.place(path), self.place(original))
            os.link(self.place(path.replace("/original/", "/small/")), self.place(small))
        else:
            self.put(original, data)
            data, *size_of_small = png(rng, size // 8) if ending == "png" else self.small.make(rng, size // 8)
            self.put(small, data)
            self.stored.append((original, ending, size_of, size_of_small, size, digest))
        self.bytes += size
        self.truth.append((index, post, boost, position, original, size, digest))
        alt = None
        if rng.random() < 0.7:
            ends = ["", ' "quoted" & <angled>', " " + " ".join(HEBREW[:3]), " 🌲"]
            alt = self.some_words(rng, rng.randint(3, 60)) + rng.choice(ends)

        def shape(width, height):
            return {"width": width, "height": height, "size": f"{width}x{height}", "aspect": round(width / height, 6)}

        return {
            "id": str(number), "type": "image", "url": f"@BASE@/{original}", "preview_url": f"@BASE@/{small}",
            "remote_url": f"https://{remote}/{original}" if remote else None, "preview_remote_url": None,
            "text_url": None,
            "meta": {"focus": {"x": 0.0, "y": 0.0}, "original": shape(*size_of), "small": shape(*size_of_small)},
            "description": alt,
            "blurhash": "U" + "".join(rng.choices("0123456789ABCDEFGHIJabcdefghij#$%*+,-.:;=?@", k=29)),
        }

    def paragraphs(self, rng):
        roll = rng.random()
        kind = next(kind for limit, kind in KINDS if roll < limit)
        if kind == "en":
            return "en", [self.some_words(rng, rng.randint(4, 60))]
        if kind == "ar":
            return "ar", [" ".join(rng.choices(ARABIC, k=rng.randint(5, 40)))]
        if kind == "he":
            return "he", [" ".join(rng.choices(HEBREW, k=rng.randint(5, 40))) + f" ({rng.choice(self.words)} 123)"]
        if kind == "ja":
            return "ja", ["".join(rng.choices(KANA, k=rng.randint(5, 60)))]
        if kind == "de":
            return "de", [" ".join(rng.choices(LATIN + self.words[:200], k=rng.randint(4, 50)))]
        if kind is None:
            return None, [" ".join(rng.choices(EMOJI, k=rng.randint(1, 12)))]
        return "en", [self.some_words(rng, rng.randint(60, 160)) for _ in range(rng.randint(3, 6))]

    def text(self, rng, index):
        """A post's HTML, its language, tags, mentions and custom emojis."""
        language, parts = self.paragraphs(rng)
        if index % 1000 == 7:
            parts[0] += " " + RARE
        if index % 10 == 3:
            parts[-1] += " " + COMMON
        if rng.random() < 0.25:
            parts.append(rng.choice(AWKWARD))
        emojis = []
        if rng.random() < 0.15:
            emojis.append(rng.choice(self.emoji))
            parts[-1] += f" :{emojis[0]['shortcode']}:"
        body = "".join(f"<p>{html.escape(part)}</p>" for part in parts)
        if rng.random() < 0.2:
            link = f"{rng.choice(self.words)}.example/{rng.randbytes(12).hex()}"
            body += (
                f'<p><a href="https://{link}" target="_blank" rel="nofollow noopener" translate="no">'
                f'<span class="invisible">https://</span><span class="ellipsis">{link[:30]}</span>'
                f'<span class="invisible">{link[30:]}</span></a></p>'
            )
        mentions = []
        if rng.random() < 0.2:
            other = rng.choice(self.accounts)
            mentions.append({key: other[key] for key in ("id", "username", "url", "acct")})
            body += (
                f'<p><span class="h-card" translate="no"><a href="{other["url"]}" class="u-url mention">'
                f'@<span>{other["username"]}</span></a></span></p>'
            )
        names = [TAG] + rng.sample(self.words, rng.randint(0, 5))
        links = [
            f'<a href="@BASE@/tags/{name}" class="mention hashtag" rel="tag">#<span>{name}</span></a>' for name in names
        ]
        tags = [{"name": name, "url": f"@BASE@/tags/{name}"} for name in names]
        return body + f"<p>{' '.join(links)}</p>", language, tags, mentions, emojis

    def pictures_of(self, rng):
        roll = rng.random()
        count = 0 if roll < 0.2 else 1 if roll < 0.75 else 2 if roll < 0.87 else 3 if roll < 0.92 else 4
        return self.options.each or count

    def status(self, index, moment, depth=0):
        """One post; a boost holds the original, which carries the text, the tag and the pictures."""
        rng = random.Random(f"1/status/{index}/{depth}")
        number = (moment << 16) + rng.getrandbits(16)
        account = rng.choices(self.accounts, self.weights)[0]
        remote = account["acct"].partition("@")[2] or None
        home = f"https://{remote}" if remote else "@BASE@"
        body, language, tags, mentions, emojis = self.text(rng, index)
        boost = depth == 0 and rng.random() < self.options.reblogs
        pictures = self.pictures_of(rng) * (not boost)
        reply = not boost and rng.random() < 0.08
        warned = rng.random() < 0.05
        return {
            "id": str(number), "created_at": iso(moment),
            "in_reply_to_id": str(number - (3600000 << 16)) if reply else None,
            "in_reply_to_account_id": rng.choice(self.accounts)["id"] if reply else None,
            "sensitive": warned or rng.random() < 0.03, "spoiler_text": self.some_words(rng, 4) if warned else "",
            "visibility": "public", "language": language,
            "uri": f"{home}/users/{account['username']}/statuses/{number}",
            "url": f"{home}/@{account['username']}/{number}",
            "replies_count": rng.randint(0, 9), "reblogs_count": rng.randint(0, 90),
            "favourites_count": rng.randint(0, 200), "quotes_count": 0,
            "edited_at": iso(moment + 90000) if rng.random() < 0.05 else None, "favourited": False, "reblogged": False,
            "muted": False, "bookmarked": False, "content": "" if boost else body, "filtered": [], "quote": None,
            "quote_approval": {"automatic": ["public"], "manual": [], "current_user": "automatic"},
            "reblog": self.status(index, moment - 7200000, 1) if boost else None,
            "application": {"name": "Web", "website": None} if remote is None else None, "account": account,
            "media_attachments": [
                self.picture(rng, moment, index, number, depth, position, remote) for position in range(pictures)
            ],
            "mentions": [] if boost else mentions, "tags": [] if boost else tags, "emojis": [] if boost else emojis,
            "card": None, "poll": None,
        }

    def lines(self, name, objects):
        with open(self.place(name), "w", encoding="utf-8") as file:
            for one in objects:
                file.write(json.dumps(one, ensure_ascii=False, separators=(",", ":")) + "\n")

    def statuses(self):
        between = random.Random("1/time")
        moment = NEWEST
        for index in range(self.options.posts):
            yield self.status(index, moment)
            moment -= between.randint(1000, 600000)

    def make(self):
        self.lines("statuses.ndjson", self.statuses())
        self.lines("accounts.ndjson", self.accounts)
        with open(self.place("truth.tsv"), "w") as file:
            file.writelines("\t".join(map(str, row)) + "\n" for row in self.truth)
        totals = {"pictures": len(self.truth), "repeated": self.repeated, "media_bytes": self.bytes}
        with open(self.place("made"), "w") as file:
            json.dump(dict(vars(self.options), **totals), file)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--posts", type=int, default=4105)
    parser.add_argument("--each", type=int, default=0, help="pictures of every post, instead of 0 to 4")
    parser.add_argument("--media-kb", default="60..200")
    parser.add_argument("--reblogs", type=float, default=0.03)
    parser.add_argument("--repeated", type=float, default=0.05, help="share of pictures whose bytes came before")
    options = parser.parse_args()
    shutil.rmtree(options.folder, ignore_errors=True)
    Maker(options).make()


if __name__ == "__main__":
    main()
