// An imaginary kind of job, letters in mailboxes (lanes): a table and this description are all it takes.
import { type Db, statement } from '../../../src/platform/db/db.ts'
import type { Job, SettledRow } from '../../../src/platform/jobs/job.ts'

export interface Letter {
  text: string
}

export const lettersSchema = `
  CREATE TABLE letters (
    letter_id  uuid PRIMARY KEY DEFAULT gen_random_uuid(),
    mailbox    text NOT NULL,
    text       text NOT NULL DEFAULT '',
    due_at     timestamptz NOT NULL DEFAULT now(),
    claimed_by integer,
    tries      integer NOT NULL DEFAULT 0,
    answer     jsonb
  );
  CREATE INDEX letters_lane ON letters (mailbox, due_at, letter_id) WHERE answer IS NULL;
  CREATE TABLE readings (
    letter_id uuid NOT NULL, reader integer NOT NULL, begun_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    ended_at  timestamptz
  );`

const answer = statement(`
  UPDATE letters d SET answer = o.answer, claimed_by = NULL
  FROM unnest($1::uuid[], $2::int[], $3::jsonb[]) AS o(letter_id, claimed_by, answer)
  WHERE d.letter_id = o.letter_id AND d.claimed_by = o.claimed_by`)

const settle = (db: Db, settled: readonly SettledRow<string>[]) =>
  db.rows(answer, [
    settled.map(({ id }) => id),
    settled.map(({ claimantId }) => claimantId),
    settled.map(({ result }) => result),
  ])

export const letterJob = (read: Job<Letter, string>['run']): Job<Letter, string> => ({
  name: 'letters',
  table: {
    table: 'letters',
    id: 'letter_id',
    lane: 'mailbox',
    waiting: 'answer IS NULL',
    order: ['due_at', 'letter_id'],
    returning: 'd.text',
  },
  caps: { process: 8, lane: 4 },
  settle,
  run: read,
})

/** The same, with attempts counted by the job engine. */
export const countedLetterJob = (
  read: Job<Letter, string>['run'],
  { delayMs = 0, suspectsAlone = false } = {},
): Job<Letter, string> => {
  const job = letterJob(read)
  return {
    ...job,
    table: { ...job.table, triesColumn: 'tries', suspectsAlone },
    retry: {
      mostTries: 3,
      delayMs: () => delayMs,
      giveUp: (error) => JSON.stringify({ givenUp: String(error) }),
    },
  }
}

const begin = statement('INSERT INTO readings (letter_id, reader) VALUES ($1, $2)')
const end = statement(`
  UPDATE readings SET ended_at = clock_timestamp() WHERE letter_id = $1 AND reader = $2 AND ended_at IS NULL`)

/** Takes a moment and records the run in the database. */
export const tracedReading =
  (db: Db, tookMs: number): Job<Letter, string>['run'] =>
  async ({ job_id }) => {
    await db.rows(begin, [job_id, process.pid])
    await new Promise((resolve) => setTimeout(resolve, tookMs))
    await db.rows(end, [job_id, process.pid])
    return '{}'
  }
