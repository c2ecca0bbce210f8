/// Pages as servers write them, including the fields that nobody reads.
enum Pages {
  private static let words =
    "The robin sings in the garden while the river runs by and the snow falls on the hill, and nobody is about but "
    + "a cat that sits on the wall and looks as if it had heard nothing of all that. In the evening it goes home."
  private static let date = "2026-11-20T09:00:00.000Z"

  private static func list(_ count: Int, _ item: (Int) -> String) -> String {
    (0..<count).map { item(1_990_000_000_000_000_000 + $0) }.joined(separator: ",")
  }

  private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

  static func mastodon(_ count: Int) -> [UInt8] {
    let user =
      #"{"id":"7","username":"birds","acct":"birds","display_name":"Birds","locked":false,"bot":false,"created_at":"#
      + #""2020-01-01T00:00:00.000Z","note":"<p>About birds</p>","uri":"https://birds.example/users/birds","#
      + #""url":"https://birds.example/@birds","avatar":"https://files.example/7.png","#
      + #""header":"https://files.example/h.png","followers_count":5,"following_count":6,"statuses_count":7,"#
      + #""emojis":[],"fields":[]}"#
    let tag = ##"<a href=\"https://birds.example/tags/cats\" class=\"mention hashtag\" rel=\"tag\">#cats</a>"##
    return bytes(
      "["
        + list(count) { id in
          let files = ["a", "b"].map {
            #"{"id":"\#(id)\#($0)","type":"image","url":"https://files.example/\#(id)\#($0).jpg","preview_url":"#
              + #""https://files.example/\#(id)\#($0)s.jpg","remote_url":null,"#
              + #""meta":{"original":{"width":1200,"height":800}},"#
              + #""description":"A cat","blurhash":"UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH"}"#
          }.joined(separator: ",")
          return #"{"id":"\#(id)","created_at":"\#(date)","in_reply_to_id":null,"sensitive":false,"spoiler_text":"","#
            + #""visibility":"public","language":"en","uri":"https://birds.example/users/birds/statuses/\#(id)","#
            + #""url":"https://birds.example/@birds/\#(id)","replies_count":1,"reblogs_count":2,"favourites_count":3,"#
            + #""edited_at":null,"content":"<p>\#(words) \#(tag) &amp; more</p>","reblog":null,"account":\#(user),"#
            + #""media_attachments":[\#(files)],"mentions":[],"tags":[{"name":"cats","#
            + #""url":"https://birds.example/tags/cats"},"#
            + #"{"name":"snow","url":"https://birds.example/tags/snow"}],"emojis":[],"card":null,"poll":null}"#
        } + "]")
  }

  static func misskey(_ count: Int) -> [UInt8] {
    let user =
      #"{"id":"8aa1","name":"Birds","username":"birds","host":null,"avatarUrl":"https://files.example/7.webp","#
      + #""avatarBlurhash":"UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH","avatarDecorations":[],"isBot":false,"isCat":true,"#
      + #""emojis":{},"onlineStatus":"active","badgeRoles":[]}"#
    return bytes(
      "["
        + list(count) { id in
          let files = ["a", "b"].map {
            #"{"id":"\#(id)\#($0)","createdAt":"\#(date)","name":"\#(id)\#($0).jpg","type":"image/jpeg","#
              + #""md5":"d41d8cd98f00b204e9800998ecf8427e","size":81234,"isSensitive":false,"#
              + #""blurhash":"UBL_:rOpGG-oBUNG,qRj2so|=eE1w^n4S5NH","properties":{"width":1200,"height":800},"#
              + #""url":"https://files.example/\#(id)\#($0).jpg","#
              + #""thumbnailUrl":"https://files.example/\#(id)\#($0)s.webp","comment":"A cat","folderId":null,"#
              + #""folder":null,"userId":null,"user":null}"#
          }.joined(separator: ",")
          return #"{"id":"\#(id)","createdAt":"\#(date)","userId":"8aa1","user":\#(user),"#
            + #""text":"**\#(words)** #cats & [more](https://birds.example/)","cw":null,"visibility":"public","#
            + #""localOnly":false,"reactionAcceptance":null,"renoteCount":2,"repliesCount":1,"reactionCount":3,"#
            + #""reactions":{"👍":2,":blobcat@.:":1},"reactionEmojis":{},"tags":["cats","snow"],"#
            + #""fileIds":["a","b"],"files":[\#(files)],"replyId":null,"renoteId":null,"clippedCount":0}"#
        } + "]")
  }

  static func lemmy(_ count: Int) -> [UInt8] {
    let user =
      #"{"id":7,"name":"birds","display_name":"Birds","avatar":"https://files.example/7.webp","banned":false,"#
      + #""published_at":"\#(date)","ap_id":"https://birds.example/u/birds","bio":"About birds","local":true,"#
      + #""deleted":false,"bot_account":false,"instance_id":1,"post_count":9,"comment_count":9}"#
    let community =
      #"{"id":3,"name":"pics","title":"Pictures","removed":false,"published_at":"\#(date)","deleted":false,"#
      + #""nsfw":false,"ap_id":"https://birds.example/c/pics","local":true,"icon":"https://files.example/3.webp","#
      + #""visibility":"public","posting_restricted_to_mods":false,"instance_id":1,"subscribers":9,"posts":9}"#
    return bytes(
      #"{"items":["#
        + list(count) { id in
          let post =
            #"{"id":\#(id),"name":"Morning","url":"https://birds.example/pictrs/image/\#(id).jpeg","#
            + #""body":"**\#(words)** #cats #snow & [more](https://birds.example/)\n\n![A cat](https://b.example/\#(id).png)","#
            + #""creator_id":7,"community_id":3,"removed":false,"locked":false,"published_at":"\#(date)","deleted":false,"#
            + #""nsfw":false,"thumbnail_url":"https://birds.example/pictrs/image/\#(id).jpeg?thumbnail=256","#
            + #""ap_id":"https://birds.example/post/\#(id)","local":true,"language_id":37,"featured_community":false,"#
            + #""featured_local":false,"url_content_type":"image/jpeg","alt_text":"A cat","comments":1,"score":9}"#
          return #"{"post":\#(post),"creator":\#(user),"community":\#(community),"image_details":{"link":"#
            + #""https://birds.example/pictrs/image/\#(id).jpeg","width":1200,"height":800,"content_type":"image/jpeg"},"#
            + #""creator_is_admin":false,"tags":[],"can_mod":false,"creator_banned":false,"creator_is_moderator":false}"#
        } + #"],"next_page":"abc"}"#)
  }

  static func tumblr(_ count: Int) -> [UInt8] {
    let blog =
      #"{"name":"birds","title":"Birds","uuid":"t:Abc_123","url":"https://birds.tumblr.example/","#
      + #""updated":1795165200,"description":"About birds","tumblrmart_accessories":{},"can_show_badges":true,"#
      + #""avatar":[{"width":512,"height":512,"url":"https://files.example/7.pnj"}]}"#
    return bytes(
      #"{"meta":{"status":200,"msg":"OK"},"response":["#
        + list(count) { id in
          let files = ["a", "b"].map { file in
            let sizes = [1280, 640, 540, 500, 400, 250, 100, 75].map {
              #"{"type":"image/jpeg","width":\#($0),"height":\#($0),"url":"https://files.example/\#(id)\#(file)\#($0).jpg"}"#
            }
            return #"{"type":"image","media":[\#(sizes.joined(separator: ","))],"alt_text":"A cat"}"#
          }.joined(separator: ",")
          return #"{"object_type":"post","type":"blocks","original_type":"photo","blog_name":"birds","blog":\#(blog),"#
            + #""id":\#(id),"id_string":"\#(id)","is_blocks_post_format":true,"timestamp":1795165200,"#
            + #""post_url":"https://birds.tumblr.example/post/\#(id)","slug":"morning","date":"2026-11-20 09:00:00 GMT","#
            + #""state":"published","reblog_key":"abc","tags":["cats","snow"],"short_url":"https://tmblr.example/x","#
            + #""summary":"Morning","should_open_in_legacy":false,"note_count":9,"content":[\#(files),"#
            + #"{"type":"text","text":"\#(words)"}],"layout":[],"trail":[],"can_like":true,"can_reblog":true}"#
        } + "]}")
  }

  static func flickr(_ count: Int) -> [UInt8] {
    bytes(
      #"{"photos":{"page":1,"pages":9,"perpage":100,"total":"812","photo":["#
        + list(count) { id in
          let sizes = ["m": 500, "z": 640, "c": 800, "l": 1024, "h": 1600, "k": 2048, "o": 4000].map {
            #""url_\#($0)":"https://files.example/65535/\#(id)_0a1b2c3d4e_\#($0).jpg","height_\#($0)":\#($1 * 2 / 3),"width_\#($0)":\#($1)"#
          }
          return
            #"{"id":"\#(id)","owner":"12345678@N01","secret":"0a1b2c3d4e","server":"65535","farm":66,"title":"Morning","#
            + #""ispublic":1,"isfriend":0,"isfamily":0,"license":"4","description":{"_content":"\#(words)\n<b>&amp; more</b>"},"#
            + #""o_width":"4000","o_height":"2666","dateupload":"1795165200","lastupdate":"1795165200","#
            + #""datetaken":"2026-11-19 08:12:44","datetakengranularity":0,"datetakenunknown":"0","ownername":"Birds","#
            + #""iconserver":"7312","iconfarm":8,"originalsecret":"5f6a7b8c9d","originalformat":"jpg","latitude":0,"#
            + #""longitude":0,"accuracy":0,"context":0,"tags":"cats snow","machine_tags":"","media":"photo","#
            + #""media_status":"ready","pathalias":"birds","content_type":"0","safety_level":"0","needs_interstitial":0,"#
            + sizes.sorted().joined(separator: ",") + "}"
        } + #"]},"stat":"ok"}"#)
  }

  static func instagram(_ count: Int) -> [UInt8] {
    func images(_ id: String) -> String {
      ["thumbnail": 150, "low_resolution": 320, "standard_resolution": 640].map {
        #""\#($0.key)":{"url":"https://files.example/\#($0.value)/\#(id).jpg","#
          + #""width":\#($0.value),"height":\#($0.value)}"#
      }.joined(separator: ",")
    }
    return bytes(
      #"{"pagination":{},"meta":{"code":200},"data":["#
        + list(count) { id in
          let user =
            #"{"id":"7","username":"birds","full_name":"Birds","profile_picture":"https://files.example/7.jpg"}"#
          let files = ["a", "b"].map { #"{"type":"image","images":{\#(images("\(id)\($0)"))},"users_in_photo":[]}"# }
          return #"{"id":"\#(id)_7","type":"carousel","created_time":"1795165200","#
            + #""link":"https://www.instagram.com/p/\#(id)/","filter":"Normal","tags":["cats","snow"],"#
            + #""attribution":null,"location":null,"user":\#(user),"#
            + #""caption":{"id":"1","text":"\#(words) #cats #snow","created_time":"1795165200","#
            + #""from":\#(user)},"comments":{"count":1},"#
            + #""likes":{"count":9},"users_in_photo":[],"user_has_liked":false,"images":{\#(images("\(id)"))},"#
            + #""carousel_media":[\#(files.joined(separator: ","))]}"#
        } + "]}")
  }

  static func graph(_ count: Int) -> [UInt8] {
    bytes(
      #"{"data":["#
        + list(count) { id in
          let files = ["1", "2"].map {
            #"{"id":"\#(id)\#($0)","media_type":"IMAGE","#
              + #""media_url":"https:\/\/files.example\/\#(id)\#($0).jpg?oe=1&oh=2"}"#
          }
          return #"{"id":"\#(id)","caption":"\#(words) #cats #snow","media_type":"CAROUSEL_ALBUM","permalink":"#
            + #""https:\/\/www.instagram.com\/p\/\#(id)\/","timestamp":"2026-11-20T09:00:00+0000","children":{"data":["#
            + files.joined(separator: ",") + "]}}"
        } + "]}")
  }
}

extension Pages {
  private static let tags =
    #""hashtags":[{"start":1,"end":5,"tag":"cats","text":"cats"},{"start":6,"end":9,"tag":"snow","text":"snow"}]"#

  static func x(_ count: Int) -> [UInt8] {
    let media = list(count) { id in
      ["1", "2"].map {
        #"{"media_key":"3_\#(id)\#($0)","type":"photo","url":"https://pbs.twimg.com/media/\#(id)\#($0).jpg","#
          + #""width":1200,"#
          + #""height":800,"alt_text":"A cat"}"#
      }.joined(separator: ",")
    }
    let user = #"{"id":"7","username":"birds","name":"Birds","profile_image_url":"https://pbs.twimg.com/7_normal.jpg"}"#
    return bytes(
      #"{"data":["#
        + list(count) { id in
          #"{"id":"\#(id)","edit_history_tweet_ids":["\#(id)"],"author_id":"7","created_at":"\#(date)","lang":"en","#
            + #""possibly_sensitive":false,"text":"\#(words) #cats &amp; #snow https://t.co/a","#
            + #""entities":{\#(tags),"urls":["#
            + #"{"start":1,"end":2,"url":"https://t.co/a","expanded_url":"https://blog.example/robins","#
            + #""display_url":"x"}]},"#
            + #""attachments":{"media_keys":["3_\#(id)1","3_\#(id)2"]}}"#
        } + #"],"includes":{"users":[\#(user)],"media":[\#(media)]},"meta":{"result_count":\#(count)}}"#)
  }

  static func xFirst(_ count: Int) -> [UInt8] {
    let user =
      #"{"id":7,"id_str":"7","name":"Birds","screen_name":"birds","location":"","description":"About birds","#
      + #""url":null,"#
      + #""followers_count":1,"friends_count":2,"created_at":"Wed Aug 27 13:08:45 +0000 2008","verified":false,"#
      + #""profile_image_url_https":"https://pbs.twimg.com/7_normal.jpg","#
      + #""profile_banner_url":"https://pbs.twimg.com/b"}"#
    return bytes(
      #"{"statuses":["#
        + list(count) { id in
          let files = ["1", "2"].map {
            #"{"id_str":"\#(id)\#($0)","indices":[1,2],"#
              + #""media_url_https":"https://pbs.twimg.com/media/\#(id)\#($0).jpg","#
              + #""url":"https://t.co/b","type":"photo","original_info":{"width":1200,"height":800},"#
              + #""sizes":{"small":{"w":680,"#
              + #""h":453,"resize":"fit"},"large":{"w":1200,"h":800,"resize":"fit"}}}"#
          }.joined(separator: ",")
          return #"{"created_at":"Fri Nov 20 09:00:00 +0000 2026","id":\#(id),"id_str":"\#(id)","full_text":"#
            + #""\#(words) #cats &amp; #snow https://t.co/b","truncated":false,"entities":{\#(tags),"#
            + #""urls":[],"media":[\#(files)]},"#
            + #""extended_entities":{"media":[\#(files)]},"source":"x","user":\#(user),"geo":null,"#
            + #""place":null,"lang":"en","#
            + #""retweet_count":1,"favorite_count":2,"favorited":false,"retweeted":false,"possibly_sensitive":false}"#
        } + #"],"search_metadata":{}}"#)
  }
}

extension Pages {
  private static func files(_ id: Int) -> String {
    ["1", "2"].map { #"<enclosure url="https://files.example/\#(id)\#($0).jpg" type="image/jpeg" length="9"/>"# }
      .joined()
  }

  static func rss(_ count: Int) -> [UInt8] {
    let items = (0..<count).map { id in
      let time = "\(twoDigits(23 - id / 3600 % 24)):\(twoDigits(59 - id / 60 % 60)):\(twoDigits(59 - id % 60))"
      return "<item><title>Episode \(id)</title><link>https://birds.example/e/\(id)</link>"
        + "<guid isPermaLink=\"false\">e-\(id)</guid><pubDate>Fri, 20 Nov 2026 \(time) GMT</pubDate>"
        + "<author>ada@birds.example (Ada)</author><category>cats</category><category>snow</category>"
        + "<description><![CDATA[<p>\(words)</p><p>More on <a href=\"https://birds.example/\(id)\">the page</a></p>]]>"
        + "</description>\(files(id))</item>\n"
    }
    return bytes(
      #"<?xml version="1.0" encoding="UTF-8"?><rss version="2.0"><channel><title>Birds</title>"#
        + "<link>https://birds.example/</link>\(items.joined())</channel></rss>")
  }

  private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

  static func atom(_ count: Int) -> [UInt8] {
    let items = (0..<count).map { id in
      "<entry><title>Post \(id)</title><link rel=\"alternate\" href=\"https://birds.example/e/\(id)\"/>"
        + "<id>tag:birds.example,2026:\(id)</id><published>\(date)</published><updated>\(date)</updated>"
        + "<author><name>Ada</name><uri>https://birds.example/ada</uri></author><category term=\"cats\"/>"
        + "<category term=\"snow\"/><content type=\"html\">&lt;p&gt;\(words)&lt;/p&gt;&lt;p&gt;More&lt;/p&gt;</content>"
        + ["1", "2"].map {
          "<link rel=\"enclosure\" type=\"image/jpeg\" href=\"https://files.example/\(id)\($0).jpg\"/>"
        }.joined() + "</entry>\n"
    }
    return bytes(
      #"<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><title>Birds</title><id>tag:birds</id>"#
        + "\(items.joined())</feed>")
  }

  static func json(_ count: Int) -> [UInt8] {
    bytes(
      #"{"version":"https://jsonfeed.org/version/1.1","title":"Birds","items":["#
        + list(count) { id in
          let files = ["1", "2"].map { #"{"url":"https://files.example/\#(id)\#($0).jpg","mime_type":"image/jpeg"}"# }
          return
            #"{"id":"\#(id)","url":"https://birds.example/e/\#(id)","title":"Post","content_html":"<p>\#(words)</p>","#
            + #""date_published":"\#(date)","authors":[{"name":"Ada"}],"tags":["cats","snow"],"attachments":["#
            + files.joined(separator: ",") + "]}"
        } + "]}")
  }
}

extension Pages {
  static func bluesky(_ count: Int) -> [UInt8] {
    let did = "did:plc:aaaaaaaaaaaaaaaaaaaaaaaa"
    let author =
      #"{"did":"\#(did)","handle":"robin.birds.example","displayName":"Birds","#
      + #""avatar":"https://cdn.bsky.app/img/avatar/plain/\#(did)/bafkreirobin@jpeg","#
      + #""associated":{"chat":{"allowIncoming":"following"}},"viewer":{"muted":false,"blockedBy":false},"labels":[],"#
      + #""createdAt":"2024-04-01T00:00:00.000Z"}"#
    let facets = ["cats", "snow"].enumerated().map { number, tag in
      #"{"index":{"byteStart":\#(number * 6),"byteEnd":\#(number * 6 + 5)},"#
        + #""features":[{"$type":"app.bsky.richtext.facet#tag","tag":"\#(tag)"}]}"#
    }.joined(separator: ",")
    return bytes(
      #"{"hitsTotal":4711,"cursor":"100","posts":["#
        + list(count) { id in
          let written = ["a", "b"].map {
            #"{"alt":"A cat","aspectRatio":{"height":800,"width":1200},"image":{"$type":"blob","ref":{"$link":"#
              + #""bafkreicyqcbkbmlxq7mxpzxzqfzuwvwrmrvx7j6tuqxhzxfwgkzq7jwxj\#($0)"},"mimeType":"image/jpeg","size":271828}}"#
          }.joined(separator: ",")
          let shown = ["a", "b"].map {
            #"{"thumb":"https://cdn.bsky.app/img/feed_thumbnail/plain/\#(did)/\#(id)\#($0)@jpeg","#
              + #""fullsize":"https://cdn.bsky.app/img/feed_fullsize/plain/\#(did)/\#(id)\#($0)@jpeg","#
              + #""alt":"A cat","aspectRatio":{"height":800,"width":1200}}"#
          }.joined(separator: ",")
          return #"{"uri":"at://\#(did)/app.bsky.feed.post/\#(id)","cid":"bafyreiaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa4","#
            + #""author":\#(author),"record":{"$type":"app.bsky.feed.post","createdAt":"\#(date)","embed":"#
            + #"{"$type":"app.bsky.embed.images","images":[\#(written)]},"facets":[\#(facets)],"langs":["en"],"#
            + ##""text":"#cats #snow \##(words) & more"},"embed":{"$type":"app.bsky.embed.images#view","images":["##
            + #"\#(shown)]},"replyCount":1,"repostCount":2,"likeCount":3,"quoteCount":0,"indexedAt":"\#(date)","#
            + #""viewer":{"threadMuted":false,"embeddingDisabled":false},"labels":[]}"#
        } + "]}")
  }
}
