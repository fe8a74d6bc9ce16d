-- The SIP messages of telephone calls, without secrets. Written once, after the call has ended; read by few.
CREATE TABLE call_signalling (
  session_id uuid PRIMARY KEY REFERENCES calls ON DELETE CASCADE,
  messages json NOT NULL,
  left_out integer NOT NULL
);
