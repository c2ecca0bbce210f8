-- The licence of a post, as its source names it: an address, or words. Posts of before get it when they are pulled again.
ALTER TABLE post ADD COLUMN license TEXT;
