-- What the line leaves behind: which codec carried the call, and how its carrier put the end.
ALTER TABLE calls ADD COLUMN line json;

-- A new column of a busy table; see 0009.
CALL analyse_lightly('calls');
