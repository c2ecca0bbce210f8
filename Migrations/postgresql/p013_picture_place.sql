-- Where the pictures are. The place itself holds the same identity, in an object of its own, so that a library and the place
-- that an address names know each other. It has no row until the first picture is stored.
CREATE TABLE media.picture_place (
  id bigint PRIMARY KEY CHECK (id = 1),
  address text COLLATE "C" NOT NULL,
  identity text COLLATE "C" NOT NULL
);

