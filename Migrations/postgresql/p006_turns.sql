-- What writers lock for the length of a transaction, and nothing else: together, or alone after losing against others several
-- times. It has no rows.
CREATE TABLE media.turn ();
