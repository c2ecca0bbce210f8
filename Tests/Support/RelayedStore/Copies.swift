import Storage

// Each value that a facet returns, made anew from its parts.

extension PostKey {
  var copy: PostKey {
    PostKey(section: section.map { Section(name: $0.name, id: $0.id) }, createdAt: createdAt, id: id)
  }
}

extension PostWindowReading {
  var copy: PostWindowReading {
    var copy = PostWindowReading()
    copy.rows = rows.map { PostRow(key: $0.key.copy, post: $0.post.copy) }
    copy.sections = sections.map { PostSection(key: $0.key, name: $0.name, count: $0.count, rows: $0.rows) }
    (copy.total, copy.hasMoreBefore, copy.hasMoreAfter) = (total, hasMoreBefore, hasMoreAfter)
    return copy
  }
}

extension PostTimeRange {
  var copy: PostTimeRange { PostTimeRange(count: count, posts: posts.map(\.copy)) }
}

extension PostOverlap {
  var copy: PostOverlap {
    PostOverlap(
      count: count, continuedCount: continuedCount, begun: begun.map(\.copy), continued: continued.map(\.copy))
  }
}

extension StoredPost {
  var copy: StoredPost {
    StoredPost(
      id: id, source: source, uri: uri, url: url, server: server, remoteID: remoteID, author: author?.copy,
      createdAt: createdAt, endsAt: endsAt, editedAt: editedAt, title: title, caption: caption,
      captionHTML: captionHTML,
      warning: warning, sensitive: sensitive, language: language, visibility: visibility, storedAt: storedAt,
      updatedAt: updatedAt, isDeleted: isDeleted, goneAt: goneAt, revisionCount: revisionCount,
      repeatedBy: repeatedBy.map { StoredRepeat(author: $0.author, handle: $0.handle, at: $0.at) }, tags: tags,
      attachments: attachments.map(\.copy), quote: quote.map { StoredQuote(post: $0.post, uri: $0.uri, url: $0.url) })
  }
}

extension StoredAuthor {
  var copy: StoredAuthor {
    StoredAuthor(id: id, uri: uri, handle: handle, name: name, url: url, avatarURL: avatarURL, avatar: avatar)
  }
}

extension StoredAttachment {
  var copy: StoredAttachment {
    StoredAttachment(
      id: id, kind: kind, url: url, previewURL: previewURL, alt: alt, width: width, height: height, blurhash: blurhash,
      blob: blob, byteCount: byteCount, mediaType: mediaType, state: state, failure: failure, nextTryAt: nextTryAt,
      name: name)
  }
}

extension WholePost {
  var copy: WholePost {
    WholePost(
      post: post.copy, raw: raw,
      revisions: revisions.map {
        Revision(seenAt: $0.seenAt, title: $0.title, caption: $0.caption, warning: $0.warning)
      },
      feeds: feeds)
  }
}

extension LibraryStats {
  var copy: LibraryStats {
    var copy = LibraryStats()
    (copy.posts, copy.deleted, copy.authors, copy.tags) = (posts, deleted, authors, tags)
    (copy.feeds, copy.unreadable, copy.pictures) = (feeds, unreadable, pictures)
    (copy.blobs, copy.blobBytes, copy.oldest, copy.newest) = (blobs, blobBytes, oldest, newest)
    return copy
  }
}

extension Pull {
  var copy: Pull {
    Pull(id: id, feedID: feedID, feed: feed, goal: goal, isFill: isFill, continues: continues)
  }
}

extension IncrementalPull {
  var copy: IncrementalPull { IncrementalPull(pull: pull.copy, anchor: anchor) }
}

extension Resumption {
  var copy: Resumption { Resumption(pull: pull.copy, pages: pages, start: start, isAtTop: isAtTop) }
}

extension FeedEdge {
  var copy: FeedEdge { FeedEdge(id: id, next: next, isEnd: isEnd) }
}

extension FeedInterval {
  var copy: FeedInterval { FeedInterval(id: id, ids: ids) }
}

extension Gap {
  var copy: Gap {
    Gap(
      feed: feed, kind: kind, above: above, below: below, from: from, to: to,
      ends: ends.map { Ends(upper: $0.upper, lower: $0.lower) })
  }
}

extension InnerGap {
  var copy: InnerGap {
    InnerGap(
      id: ID(upper: id.upper, lower: id.lower), gap: gap.copy, postAbove: postAbove, postBelow: postBelow)
  }
}

extension Saved {
  var copy: Saved {
    var copy = Saved()
    (copy.new, copy.updated, copy.unchanged, copy.deleted) = (new, updated, unchanged, deleted)
    (copy.unreadable, copy.posts, copy.arrived) = (unreadable, posts, arrived)
    copy.known = Known(isTouched: known.isTouched, overlap: known.overlap)
    return copy
  }
}

extension Deletion {
  var copy: Deletion { Deletion(changed: changed, unknown: unknown) }
}

extension KnownPost {
  var copy: KnownPost { KnownPost(post: post, remoteID: remoteID, createdAt: createdAt) }
}

extension Rechecked {
  var copy: Rechecked {
    var copy = Rechecked()
    (copy.edited, copy.unchanged, copy.gone, copy.unanswered) = (edited, unchanged, gone, unanswered)
    return copy
  }
}

extension HarvestRun {
  var copy: HarvestRun {
    HarvestRun(
      id: id, process: process, startedAt: startedAt, finishedAt: finishedAt, state: state, code: code,
      planned: planned,
      feeds: feeds, failed: failed, limited: limited, counts: counts, waited: waited, parts: parts, rechecks: rechecks,
      notices: notices)
  }
}

extension RateBudget {
  var copy: RateBudget {
    var copy = RateBudget(quota: quota, isShare: isShare, remaining: remaining, endsAt: endsAt)
    (copy.held, copy.taken, copy.closedUntil, copy.probedAt) = (held, taken, closedUntil, probedAt)
    return copy
  }
}

extension PictureTask {
  var copy: PictureTask { PictureTask(owner: owner, kind: kind, urls: urls, post: post, server: server) }
}

extension AttachmentPicture {
  var copy: AttachmentPicture {
    AttachmentPicture(
      id: id, post: post, state: state, blob: blob, attempts: attempts, nextTryAt: nextTryAt, failure: failure)
  }
}

extension Finding {
  var copy: Finding { Finding(kind, detail, path: path, blob: blob, post: post, byteCount: byteCount) }
}

extension CheckResult {
  var copy: CheckResult {
    CheckResult(
      posts: posts, blobs: blobs, blobBytes: blobBytes, faults: faults, remaining: remaining, isDamaged: isDamaged,
      postsToFetch: postsToFetch)
  }
}

extension Garbage {
  var copy: Garbage {
    var copy = Garbage()
    (copy.trashed, copy.blobs, copy.orphans, copy.strangers) = (trashed, blobs, orphans, strangers)
    (copy.avatars, copy.bytes, copy.store, copy.waste) = (avatars, bytes, store, waste)
    return copy
  }
}

extension Compaction {
  var copy: Compaction { Compaction(freed: freed, left: left) }
}

extension StoredBlob {
  var copy: StoredBlob {
    StoredBlob(id: id, byteCount: byteCount, mediaType: mediaType, width: width, height: height)
  }
}
