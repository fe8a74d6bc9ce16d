// Rounds of concurrent requests, how they ended, and requests that are held up between two of their statements.
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Reply, TestDatabase } from '../service.ts'

// Within the first few rounds a statement shows that it does not decide by itself.
const rounds = 12
// They compete with each other too. More at a time would wait for connections, on a slow machine for longer than a
// request may.
const atOnce = 4

/** Every round has a resource of its own. */
export async function inRounds(round: () => Promise<void>): Promise<void> {
  for (let done = 0; done < rounds; done += atOnce) await Promise.all(Array.from({ length: atOnce }, round))
}

/** For rounds that share a resource. */
export async function oneByOne(round: (at: number) => Promise<void>, times = rounds): Promise<void> {
  for (let at = 0; at < times; at++) await round(at)
}

/** For requests that hash a password: all are under way before the first one writes, so that each round is a race. */
export const whileHashing = (round: () => Promise<void>): Promise<void> => oneByOne(round, 5)

/** Sorted, because which request wins is not known. */
export const outcomes = (replies: readonly Pick<Reply, 'status' | 'body'>[]): string[] =>
  replies.map(({ status, body }) => (status < 300 ? 'success' : `${status} ${body.code}`)).toSorted()

/** Of five. */
export const oneOf = (others: string): string[] => [others, others, others, others, 'success']

interface RaceSteps {
  /** Runs first, in a transaction that stays open until the request waits for it or has ended. */
  readonly hold: string
  readonly request: () => Promise<Reply>
  /** A part of the statement in which the request is expected to wait, where others may wait too. */
  readonly waitingIn?: string
  /** Happens while the request waits. */
  readonly meanwhile?: () => Promise<void>
}

/** A race with a known order: the request has read what it needs when the transaction is committed. */
export async function interleaved(database: TestDatabase, race: RaceSteps): Promise<Reply> {
  const { hold, request, waitingIn = '', meanwhile } = race
  const holder = new pg.Client({ connectionString: database.url })
  await holder.connect()
  try {
    await holder.query('BEGIN')
    await holder.query(hold)
    let hasEnded = false
    const replying = request().finally(() => {
      hasEnded = true
    })
    while (!hasEnded && !(await isWaiting(database, waitingIn))) await sleep(5)
    await meanwhile?.()
    await holder.query('COMMIT')
    return await replying
  } finally {
    await holder.end()
  }
}

const isWaiting = async (database: TestDatabase, part: string): Promise<boolean> =>
  (
    await database.query(
      `SELECT 1 FROM pg_stat_activity
       WHERE datname = current_database() AND wait_event_type = 'Lock' AND position($1 in query) > 0`,
      [part],
    )
  ).length > 0
