// Call events in the database.
import type { CallEventName } from '@parley/contract'
import { type Db, type Queries, statement } from '../../../platform/db/db.ts'
import { toJson } from './json.ts'

export interface EventRow {
  readonly sessionId: string
  readonly seq: number
  readonly at: Date
  readonly type: CallEventName
  readonly data: unknown
}

// Idempotent: after a lost response the same events are written again. An ended call takes no more events.
const insert = statement(`
  INSERT INTO call_events (session_id, seq, at, type, data)
  SELECT e.session_id, e.seq, e.at, e.type, e.data
  FROM unnest($1::uuid[], $2::int[], $3::timestamptz[], $4::text[], $5::json[]) AS e(session_id, seq, at, type, data)
    JOIN calls c USING (session_id)
  WHERE NOT c.finished
  ON CONFLICT DO NOTHING`)

const setStatus = statement(`
  UPDATE calls c SET call_status = s.status, updated_at = now()
  FROM unnest($1::uuid[], $2::text[]) AS s(session_id, status)
  WHERE c.session_id = s.session_id AND NOT c.finished`)

const after = statement(`
  SELECT seq, at, type, data::text AS data FROM call_events WHERE session_id = $1 AND seq > $2 ORDER BY seq LIMIT $3`)

/** Stores the events, and the status reported by the last of them. */
export function writeEvents(db: Db, events: readonly EventRow[]): Promise<void> {
  const statuses = new Map(
    events
      .filter(({ type }) => type === 'status')
      .map(({ sessionId, data }) => [sessionId, (data as { call_status: string }).call_status]),
  )
  return db.atomically([
    {
      statement: insert,
      values: [
        events.map(({ sessionId }) => sessionId),
        events.map(({ seq }) => seq),
        events.map(({ at }) => at),
        events.map(({ type }) => type),
        events.map(({ data }) => toJson(data)),
      ],
    },
    ...(statuses.size > 0
      ? [{ statement: setStatus, values: [[...statuses.keys()], [...statuses.values()]] }]
      : []),
  ])
}

export interface StoredEvent {
  seq: number
  at: Date
  type: CallEventName
  /** JSON text, passed on unparsed. */
  data: string
}

export const eventsAfter = (db: Queries, sessionId: string, seq: number, most: number) =>
  db.rows<StoredEvent>(after, [sessionId, seq, most])

// No call has as many events.
const mostEvents = 100_000

/** Reads what the process of a call had stored before it died. */
export async function storedSoFar(db: Queries, sessionId: string) {
  const events = await eventsAfter(db, sessionId, 0, mostEvents)
  const parsed = (wanted: CallEventName) =>
    events.filter(({ type }) => type === wanted).map(({ data }) => JSON.parse(data))
  return {
    last: events.at(-1),
    answered: events.find(({ type, data }) => type === 'status' && data.includes('in-progress')),
    transcript: parsed('transcript'),
    latency: parsed('latency'),
    variables: Object.assign({}, ...parsed('variables').map(({ variables }) => variables)),
  }
}
