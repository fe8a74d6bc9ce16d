// Settings of storage: where data is kept, and for how long.
import { z } from 'zod'
import { fewestConnections } from '../db/connection.ts'
import { flag, free, path, postgresUrl, set, whole } from './kinds.ts'

export const storageSettings = {
  PARLEY_DATA_DIR: set(
    path(),
    './data',
    'Where the embedded database, the made secret, `first-run.json` and recordings live.',
  ),
  DATABASE_URL: free(
    postgresUrl(),
    'A PostgreSQL of your own, 14 or newer, or a pooler in front of it. Unset: the embedded server under `PARLEY_DATA_DIR`.',
  ),
  PARLEY_DATABASE_SESSION_URL: free(
    postgresUrl(),
    'PostgreSQL itself, if `DATABASE_URL` is a pooler in transaction mode such as PgBouncer: for migrations, notifications, locks and uploads, which need a session of their own ([more](operations/database.md)).',
  ),
  PARLEY_DATABASE_READ_URL: free(
    postgresUrl(),
    'A replica for lists and search. It is never behind what a user has seen: if it has not caught up within 200 ms, or is away, the primary answers ([more](operations/database.md)).',
  ),
  PARLEY_DATABASE_CONNECTIONS: set(
    whole(fewestConnections, 1000),
    '30',
    'Connections this process opens to the database at most, all included: one that listens, one that tells others that we are alive, a fifth for uploads, and the rest shared by requests and jobs. A replica gets as many as these share.',
  ),
  PARLEY_SECRET: free(
    z.string().min(8, 'at least 8 characters'),
    'Encrypts what is kept secret in the database; use 32 random characters or more. Made and kept in `PARLEY_DATA_DIR` by default; required with `DATABASE_URL`, and the same for every process.',
  ),
  PARLEY_SECRET_PREVIOUS: free(
    z.string().min(8, 'at least 8 characters'),
    'The secret before `PARLEY_SECRET`, while it is being replaced: what it has sealed and signed is still accepted. [How](operations/secrets.md).',
  ),
  PARLEY_CALL_LOG_DAYS: set(
    whole(1, 36_500),
    '365',
    'How long the records of calls are kept. They are dropped in pieces of a sixth of it, so some stay that much longer.',
  ),
  PARLEY_ARCHIVE: set(
    flag(),
    'false',
    'Writes records of calls, and events with their deliveries, to compressed JSON lines before they are deleted: in S3 below `archive/`, else in `PARLEY_DATA_DIR`. What could not be written is not deleted.',
  ),
  PARLEY_RECORDING_DAYS: set(
    whole(1, 36_500),
    '90',
    'How long recordings are kept; never longer than the record of the call.',
  ),
  PARLEY_S3_BUCKET: free(
    z.string().min(3, 'the name of a bucket'),
    'Keeps recordings in this bucket of an S3-compatible store instead of `PARLEY_DATA_DIR`. Needs the two keys below.',
  ),
  PARLEY_S3_ENDPOINT: free(
    z.url({ protocol: /^https?$/, error: 'an address that begins with http:// or https://' }),
    "The store's address. Unset: Amazon's own.",
  ),
  PARLEY_S3_REGION: set(z.string(), 'us-east-1', 'The region of the bucket.'),
  PARLEY_S3_ACCESS_KEY_ID: free(z.string(), 'Who we are to the store.'),
  PARLEY_S3_SECRET_ACCESS_KEY: free(z.string(), 'Proves it.'),
  PARLEY_S3_PREFIX: set(z.string(), 'recordings/', 'Comes before the name of everything that is kept there.'),
  PARLEY_WEBHOOK_LOG_DAYS: set(
    whole(1, 3650),
    '30',
    'How long events and deliveries are kept to be looked at and sent again, or up to a sixth longer.',
  ),
  PARLEY_FILE_DAYS: set(whole(1, 36_500), '7', 'How long uploaded files are kept.'),
  PARLEY_TRANSCRIPT_DAYS: set(whole(1, 36_500), '365', 'How long transcripts are kept.'),
}
