/// What a pull needs of a store.
public typealias PullStore = PullRecords & GapRecords & FeedRecords & PictureQueue

extension Store: PostLists, FeedRecords, PullRecords, GapRecords, PictureQueue, PersonalChanges, HarvestRecords,
  RecheckQueue, BudgetRecords, StoreCare
{}
