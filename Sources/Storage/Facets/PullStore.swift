/// What a pull needs of a store.
public typealias PullStore = PullRecords & GapRecords & FeedRecords & PictureQueue & LeaseProvider

/// What a recheck needs of a store, with the pictures that it may bring.
public typealias RecheckStore = RecheckQueue & FeedRecords & PictureQueue & BudgetRecords & LeaseProvider

/// A whole store: every facet. Programs and lists are built on it, whichever engine is below.
public typealias LibraryStore = PostLists & FeedRecords & PullRecords & GapRecords & PictureQueue & PersonalChanges
  & HarvestRecords & RecheckQueue & BudgetRecords & StoreCare & Overviews & LibraryTransfer & PlannerRecords
  & ImportRecords & StoreSession & LeaseProvider

extension Store: PostLists, FeedRecords, PullRecords, GapRecords, PictureQueue, PersonalChanges, HarvestRecords,
  RecheckQueue, BudgetRecords, StoreCare, Overviews, LibraryTransfer, PlannerRecords, ImportRecords, StoreSession
{}
