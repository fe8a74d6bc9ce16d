-- Which calls are simulated is known before they are dialled. A release without this could only simulate: what it has
-- stored, and stores while it still runs beside this one, was meant for the sandbox.
ALTER TABLE batch_recipients ADD COLUMN provider text DEFAULT 'sandbox';
CALL analyse_lightly('batch_recipients');

-- Of the recipients, those who are simulated; null: all of them.
ALTER TABLE batches ADD COLUMN sandbox_count integer;

UPDATE calls SET provider = 'sandbox' WHERE provider IS NULL AND call_type = 'outbound' AND NOT finished;
