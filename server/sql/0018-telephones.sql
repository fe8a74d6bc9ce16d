-- Telephones that log in at our own door, and which process keeps the registration of a trunk.

-- The names of those who may log in by a number; their passwords are in its credentials, sealed.
ALTER TABLE phone_numbers ADD COLUMN inbound_users text[] NOT NULL DEFAULT '{}';

-- Where telephones that are logged in can be called.
CREATE TABLE telephones (
  phone_number_id uuid NOT NULL REFERENCES phone_numbers ON DELETE CASCADE,
  username        text NOT NULL,
  contact         text NOT NULL,           -- the SIP address that it gave
  transport       text NOT NULL,
  address         text NOT NULL,           -- where its registration came from
  port            integer NOT NULL,
  call_id         text NOT NULL,           -- of the registration: later ones have higher numbers
  sequence        bigint NOT NULL,
  expires_at      timestamptz NOT NULL,
  PRIMARY KEY (phone_number_id, username, contact)
);
CREATE INDEX telephones_expired ON telephones (expires_at);

-- One registration for all processes, by the first number of its account.
CREATE TABLE trunk_registrations (
  phone_number_id uuid PRIMARY KEY REFERENCES phone_numbers ON DELETE CASCADE,
  claimed_by      integer NOT NULL,        -- the claimant whose process keeps it
  state           text NOT NULL,           -- registering, registered, failed
  reason          text,                    -- why it failed
  contact         text,                    -- what is registered
  routes          text[] NOT NULL DEFAULT '{}',  -- proxies that the registrar wants calls to go through
  changed_at      timestamptz NOT NULL DEFAULT now()
);
