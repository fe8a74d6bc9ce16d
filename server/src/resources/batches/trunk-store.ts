// Batches whose trunk does not answer, in the database: they are paused, tried again after a while, and go on.
import { type Queries, statement } from '../../platform/db/db.ts'

/** What a person reads while the trunk is tried, also after a resumption by hand. */
export const tryingTrunk =
  'The trunk did not answer; calls are placed one at a time until it is known to answer again.'

const pause = statement(`
  UPDATE batches b SET status = 'paused', trunk_tries = trunk_tries + 1, updated_at = now(),
    resume_at = now() + $2 * interval '1 second',
    status_reason = 'The trunk ' || coalesce((
      SELECT 'of ' || n.phone_number || coalesce(', ' || n.host || ',', '') FROM phone_numbers n
      WHERE n.phone_number_id = b.phone_number_id), 'of this batch')
      || ' does not answer, so nobody is called. The batch is tried again by itself, and goes on when the trunk answers.'
  WHERE batch_id = $1`)

const resume = statement(`
  UPDATE batches SET status = 'in_progress', status_reason = '${tryingTrunk}', trunk_tried_at = now(), resume_at = NULL,
    updated_at = now()
  WHERE status = 'paused' AND resume_at <= now()`)

const recover = statement(`
  UPDATE batches SET trunk_tries = 0, trunk_tried_at = NULL, status_reason = NULL, updated_at = now() WHERE batch_id = $1`)

/** Pauses a batch whose trunk does not answer. */
export const waitForTrunk = (tx: Queries, batchId: string, seconds: number) =>
  tx.rows(pause, [batchId, seconds])

/** Goes on with batches that have waited for their trunk long enough. */
export const tryTrunksAgain = (db: Queries) => db.rows(resume)

/** The trunk answers: the batch calls as many at a time as before. */
export const trunkAnswers = (tx: Queries, batchId: string) => tx.rows(recover, [batchId])
