-- The last transaction of each process that writes, by the process's own count. The row is written in the transaction itself,
-- so it is wherever what the transaction wrote is: on a server that took over, too. A process whose commit was not answered
-- reads there what became of it.
CREATE TABLE media.writer (
  id bigint PRIMARY KEY,
  number bigint NOT NULL,
  written_at timestamptz NOT NULL DEFAULT clock_timestamp()
) WITH (fillfactor = 50);
