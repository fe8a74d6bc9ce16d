-- What an ended call costs, by the prices of its end: {currency, amount, parts}. null: it ended before this was kept.
ALTER TABLE calls ADD COLUMN cost json;
CALL analyse_lightly('calls');
