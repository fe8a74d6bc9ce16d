// The job engine, on a kind of job that exists only here: exact, fair, and resilient to faults.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as after } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pino from 'pino'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type Claimant, openClaimant } from '../../src/platform/db/claim.ts'
import { type Db, openDb, statement } from '../../src/platform/db/db.ts'
import type { ClaimLimits, Job, JobRow } from '../../src/platform/jobs/job.ts'
import { Jobs } from '../../src/platform/jobs/jobs.ts'
import { freePlaces, queueOf } from '../../src/platform/jobs/statements.ts'
import { countedLetterJob, type Letter, letterJob, lettersSchema } from '../support/jobs/letters.ts'
import { makeDatabase, type TestDatabase } from '../support/service.ts'

let database: TestDatabase
let db: Db
let claimant: Claimant
const closing: (() => Promise<unknown>)[] = []
beforeEach(async () => {
  database = await makeDatabase()
  await database.query(lettersSchema)
  db = openDb({ connectionString: database.url }, 4, () => {})
  claimant = await openClaimant({ connectionString: database.url }, () => {})
})
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close()
  await claimant.close()
  await db.close()
  await database.close()
})

const start = async (job: Job<Letter, string>, on: Db = db) => {
  const jobs = new Jobs({ db: on, log: pino({ level: 'silent' }), claimant })
  const worker = await jobs.start(job)
  const stop = jobs.stop.bind(jobs)
  closing.push(stop)
  return { jobs, stop, worker }
}
const post = (count: number, mailbox: string, more = '') =>
  database.query(
    `INSERT INTO letters (mailbox ${more && ', text'}) SELECT $1 ${more && `, '${more}'`} FROM generate_series(1, $2)`,
    [mailbox, count],
  )
const count = async (sql: string) =>
  Number((await database.query<{ count: string }>(`SELECT count(*) FROM ${sql}`))[0]?.count)
const unanswered = () => count('letters WHERE answer IS NULL')
const anyone = '00000000-0000-0000-0000-000000000000'

describe('a new kind of job', () => {
  it('is one description: every row is processed once, and a notice wakes the worker', async () => {
    const read: string[] = []
    const { jobs } = await start(
      letterJob(async ({ job_id }) => {
        read.push(job_id)
        return '{"well": true}'
      }),
    )
    await post(50, 'a')
    await database.query("SELECT pg_notify('letters', '')")
    await expect.poll(unanswered).toBe(0)
    expect(read).toHaveLength(50)
    expect(new Set(read).size).toBe(50)
    expect(await count('letters WHERE claimed_by IS NOT NULL')).toBe(0)
    jobs.wake()
  })

  it('waits until it is due', async () => {
    const begun: number[] = []
    await start(
      letterJob(async () => {
        begun.push(Date.now())
        return '{}'
      }),
    )
    const dueAt = new Date(Date.now() + 700)
    await database.query("INSERT INTO letters (mailbox, due_at) VALUES ('a', $1)", [dueAt])
    await expect.poll(unanswered).toBe(0)
    expect(begun[0]).toBeGreaterThanOrEqual(dueAt.getTime())
  })
})

describe('four processes', () => {
  const program = fileURLToPath(new URL('../support/jobs/letter-process.ts', import.meta.url))
  const readers: ChildProcess[] = []
  const startReader = async () => {
    const env = { PATH: process.env.PATH, DATABASE_URL: database.url }
    const reader = spawn(process.execPath, [program], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    readers.push(reader)
    await once(reader.stdout, 'data')
    return reader
  }
  afterEach(async () => {
    const running = readers.splice(0).filter(({ exitCode, signalCode }) => exitCode === null && !signalCode)
    await Promise.all(
      running.map((reader) => {
        reader.kill()
        return once(reader, 'exit')
      }),
    )
  })

  /** The most concurrent jobs of one lane. */
  const mostAtOnce = async () =>
    (
      await database.query<{ most: number }>(`
        SELECT coalesce(max(together), 0)::int AS most FROM (
          SELECT (SELECT count(*) FROM readings o JOIN letters l USING (letter_id)
                  WHERE l.mailbox = letters.mailbox AND o.begun_at <= r.begun_at AND o.ended_at > r.begun_at) AS together
          FROM readings r JOIN letters USING (letter_id)) AS moments`)
    )[0]?.most

  it('share a backlog: no job runs twice, and no lane exceeds its cap', async () => {
    await Promise.all([startReader(), startReader(), startReader(), startReader()])
    for (const mailbox of ['a', 'b', 'c']) await post(100, mailbox)
    await expect.poll(unanswered).toBe(0)
    expect(await count('readings')).toBe(300)
    expect(await count('(SELECT DISTINCT letter_id FROM readings) AS read')).toBe(300)
    // One of them may have been fast enough to read everything so far.
    const distinctReaders = () => count('(SELECT DISTINCT reader FROM readings) AS readers')
    await expect.poll(() => post(20, 'a').then(distinctReaders)).toBeGreaterThan(1)
    await expect.poll(unanswered).toBe(0)
    expect(await mostAtOnce()).toBeLessThanOrEqual(4)
  })

  it('take over the jobs of a killed one, and only those run twice', async () => {
    const started = await Promise.all([startReader(), startReader(), startReader(), startReader()])
    for (const mailbox of ['a', 'b', 'c', 'd', 'e']) await post(80, mailbox)
    // The process is whichever is busy: on a crowded machine the others may have read everything before a certain one
    // has begun.
    const busiest =
      'SELECT reader FROM readings GROUP BY reader HAVING count(*) > 10 ORDER BY count(*) DESC LIMIT 1'
    const pid = () => database.query<{ reader: number }>(busiest).then(([row]) => row?.reader)
    await expect.poll(pid).toBeDefined()
    const busy = await pid()
    const victim = started.find((reader) => reader.pid === busy)
    victim?.kill('SIGKILL')
    await expect.poll(unanswered).toBe(0)
    const twice = `SELECT letter_id FROM readings GROUP BY letter_id HAVING count(*) > 1`
    const ofVictim = `SELECT letter_id FROM readings WHERE reader = ${victim?.pid}`
    expect(await count(`(${twice} EXCEPT ${ofVictim}) AS others`)).toBe(0)
    // Those that it had read, but not yet settled, come on top.
    expect(
      await count(`(${twice} INTERSECT ${ofVictim} AND ended_at IS NULL) AS cut_off`),
    ).toBeLessThanOrEqual(8)
  })
})

describe('a claim that takes long', () => {
  const { table } = letterJob(async () => '{}')
  const claimFrom = (from: typeof table, claimantId: number) =>
    queueOf<Letter>(from).claim(db, { claimantId, after: null, most: 8, mostPerLane: 4, ended: [] })
  // Computed after the snapshot is taken, and before any row is locked.
  const held = { ...table, tenant: () => 'SELECT pg_advisory_xact_lock_shared(4)::text' }

  it.each([
    ['ended', "answer = '{}', claimed_by = NULL"],
    ['failed, and is to be tried later', "claimed_by = NULL, due_at = now() + interval '1 hour'"],
  ])('leaves a job that another process claimed meanwhile, and that %s', async (_, outcome) => {
    await post(1, 'a')
    let claiming: Promise<unknown[]> | undefined
    await db.transaction(async (tx) => {
      await tx.rows(statement('SELECT pg_advisory_xact_lock(4)'))
      claiming = claimFrom(held, 1)
      const waiting = "pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'"
      await expect.poll(() => count(waiting)).toBe(1)
      expect(await claimFrom(table, 2)).toHaveLength(1)
      await database.query(`UPDATE letters SET ${outcome} WHERE claimed_by = 2`)
    })
    expect(await claiming).toEqual([])
  })
})

describe('lanes', () => {
  it('take turns: a backlog in one does not delay the others', async () => {
    const order: string[] = []
    await post(200, 'crowd')
    await database.query('ANALYZE letters')
    const job = letterJob(async ({ job_lane }) => {
      order.push(job_lane)
      await after(5)
      return '{}'
    })
    await start({ ...job, caps: { process: 6, lane: 4 } })
    await expect.poll(() => order.length).toBeGreaterThan(10)
    await post(5, 'single')
    await expect.poll(unanswered).toBe(0)
    // Processed long before the backlog that was queued first.
    expect(order.lastIndexOf('single')).toBeLessThan(150)
  })

  it('are capped, counting the jobs of other processes', async () => {
    await post(10, 'a')
    await database.query(
      `UPDATE letters SET claimed_by = $1 WHERE letter_id IN (SELECT letter_id FROM letters ORDER BY due_at, letter_id LIMIT 3)`,
      [await otherClaimant()],
    )
    let [now, most] = [0, 0]
    const gate = Promise.withResolvers<void>()
    await start(
      letterJob(async () => {
        most = Math.max(most, ++now)
        await gate.promise
        now--
        return '{}'
      }),
    )
    await expect.poll(() => most).toBe(1)
    await after(200)
    expect(most).toBe(1)
    gate.resolve()
  })

  const otherClaimant = async () => {
    const other = await openClaimant({ connectionString: database.url }, () => {})
    closing.push(other.close)
    return other.id
  }
})

describe('an insert that claims', () => {
  const insert = statement(`
    WITH lane AS MATERIALIZED (
      SELECT ${freePlaces(letterJob(async () => '').table, { of: "'a'", cap: '$3::int', ended: '$4' })} AS free)
    INSERT INTO letters (mailbox, claimed_by)
    SELECT 'a', CASE WHEN nth <= least($2, free) THEN $1::int END FROM lane, generate_series(1, $5::int) AS nth
    RETURNING claimed_by, letter_id AS job_id, mailbox AS job_lane, 0 AS job_tries, text`)
  /** Writes letters to one mailbox; the statement has ended for the worker only after `then`. */
  const write =
    (many: number, then = async () => {}) =>
    async ({ claimantId, most, mostPerLane, ended }: ClaimLimits) => {
      const values = [claimantId, most, mostPerLane, ended, many]
      const rows = await db.rows<Letter & JobRow & { claimed_by: number | null }>(insert, values)
      await then()
      return { claimed: rows.filter(({ claimed_by }) => claimed_by !== null) }
    }

  it('starts what the cap of the lane allows, and the rest is claimed as usual', async () => {
    const gate = Promise.withResolvers<string>()
    const read: string[] = []
    const { worker, jobs } = await start(
      letterJob(({ job_id }) => {
        read.push(job_id)
        return gate.promise
      }),
    )
    closing.push(async () => gate.resolve('{}'))
    expect((await worker.insert(write(3))).claimed).toHaveLength(3)
    expect((await worker.insert(write(5))).claimed).toHaveLength(1)
    expect(read).toHaveLength(4)
    expect(worker.occupied).toEqual({ jobs: 4, places: 4 })
    gate.resolve('{}')
    jobs.wake()
    await expect.poll(unanswered).toBe(0)
    expect(new Set(read).size).toBe(8)
    expect(read).toHaveLength(8)
  })

  it('is not mistaken for a claim whose answer was lost', async () => {
    const read: string[] = []
    let [inserting, recoveries, during] = [0, 0, 0]
    const rows: Db['rows'] = (statement, values) => {
      if (statement.text.includes('pg_locks')) {
        recoveries++
        during += inserting
      }
      return db.rows(statement, values)
    }
    const { worker } = await start(
      letterJob(async ({ job_id }) => {
        read.push(job_id)
        return '{}'
      }),
      { ...db, rows },
    )
    while (recoveries < 3) {
      const slowly = write(2, () => after(50))
      await worker.insert(async (limits) => {
        inserting = 1
        const made = await slowly(limits)
        inserting = 0
        return made
      })
    }
    await expect.poll(unanswered).toBe(0)
    expect(during).toBe(0)
    expect(new Set(read).size).toBe(read.length)
  })

  it('whose answer is lost is recovered', async () => {
    let read = 0
    const { worker } = await start(
      letterJob(async () => {
        read++
        return '{}'
      }),
    )
    const lost = write(2, () => Promise.reject(new Error('the connection was cut')))
    await expect(worker.insert(lost)).rejects.toThrow('the connection was cut')
    await expect.poll(unanswered).toBe(0)
    expect(read).toBe(2)
  })

  it('is waited for when the process stops, and claims nothing after that', async () => {
    const { worker, stop } = await start(letterJob(async () => '{}'))
    const gate = Promise.withResolvers<void>()
    closing.push(async () => gate.resolve())
    const inserted = worker.insert(write(2, () => gate.promise))
    await expect.poll(unanswered).toBe(2)
    const stopped = stop()
    gate.resolve()
    await stopped
    expect((await inserted).claimed).toHaveLength(2)
    expect(await unanswered()).toBe(0)
    expect((await worker.insert(write(1))).claimed).toEqual([])
  })
})

describe('faults', () => {
  it('the response to a claim is lost: the jobs are recovered, and each runs once', async () => {
    let lost = 0
    const rows: Db['rows'] = async (statement, values) => {
      const found = await db.rows(statement, values)
      if (lost > 0 || !statement.text.includes('picked') || found.length === 0) return found as never
      lost = found.length
      throw new Error('the connection was cut')
    }
    let read = 0
    await post(5, 'a')
    await start(
      letterJob(async () => {
        read++
        return '{}'
      }),
      { ...db, rows },
    )
    await expect.poll(unanswered).toBe(0)
    expect(lost).toBe(4)
    expect(read).toBe(5)
  })

  it('the database is unavailable when a result is written: the result is kept, and the job does not run again', async () => {
    let [read, failures] = [0, 0]
    await post(3, 'a')
    const job = letterJob(async () => {
      read++
      return '{}'
    })
    await start({
      ...job,
      async settle(on, settled) {
        if (failures++ < 2) throw new Error('the connection was cut')
        return job.settle(on, settled)
      },
    })
    await expect.poll(unanswered).toBe(0)
    expect(read).toBe(3)
  })

  it('a result that the database refuses does not block the others', async () => {
    await post(6, 'a')
    await post(1, 'a', 'bad')
    const job = countedLetterJob(async ({ text }) => (text === 'bad' ? '{"x": "\\u0000"}' : '{}'))
    await start(job)
    // The bad one is retried like any other, then given up.
    await expect.poll(unanswered).toBe(0)
    expect(
      await database.query("SELECT tries, answer->>'givenUp' AS given_up FROM letters WHERE text = 'bad'"),
    ).toEqual([{ tries: 3, given_up: 'Error: the process that worked on it died' }])
    expect(await count("letters WHERE text = '' AND tries = 1 AND answer = '{}'")).toBe(6)
  })

  it('a job that throws is retried after its delay, and given up after the last attempt', async () => {
    const begun: number[] = []
    await post(1, 'a')
    await start(
      countedLetterJob(
        async () => {
          begun.push(performance.now())
          throw new Error('smudged')
        },
        { delayMs: 300 },
      ),
    )
    await expect.poll(unanswered).toBe(0)
    expect(begun).toHaveLength(3)
    for (const [nth, at] of begun.slice(1).entries())
      expect(at - (begun[nth] ?? 0)).toBeGreaterThanOrEqual(299)
    expect(await database.query('SELECT answer FROM letters')).toEqual([
      { answer: { givenUp: 'Error: smudged' } },
    ])
  })

  it('jobs of dead processes run again, or are given up when every attempt ended with a death', async () => {
    await post(2, 'a')
    await database.query('UPDATE letters SET claimed_by = 1, tries = 1')
    await database.query("INSERT INTO letters (mailbox, claimed_by, tries) VALUES ('a', 1, 3)")
    await start(countedLetterJob(async () => '{}'))
    await expect.poll(unanswered).toBe(0)
    expect(await database.query('SELECT tries, answer FROM letters ORDER BY tries')).toEqual([
      { tries: 2, answer: {} },
      { tries: 2, answer: {} },
      { tries: 3, answer: { givenUp: 'Error: the process that worked on it died' } },
    ])
  })

  it('of jobs that already had an attempt, one runs at a time', async () => {
    let [now, most] = [0, 0]
    await post(4, 'a')
    await database.query('UPDATE letters SET tries = 1')
    await start({
      ...countedLetterJob(
        async () => {
          most = Math.max(most, ++now)
          await after(50)
          now--
          return '{}'
        },
        { suspectsAlone: true },
      ),
      caps: { process: 4, lane: 4, claim: 1 },
    })
    await expect.poll(unanswered).toBe(0)
    expect(most).toBe(1)
  })
})

describe('stopping', () => {
  it('lets running jobs end, and stores their results', async () => {
    await post(3, 'a')
    let begun = 0
    const { stop } = await start(
      letterJob(async () => {
        begun++
        await after(300)
        return '{}'
      }),
    )
    await expect.poll(() => begun).toBe(3)
    await stop()
    expect(await unanswered()).toBe(0)
  })

  it('releases jobs that take too long, without counting an attempt', async () => {
    await post(2, 'a')
    let begun = 0
    const job = countedLetterJob((_row, { signal }) => {
      begun++
      return new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason))
      })
    })
    const { stop } = await start({ ...job, drainMs: 50 })
    await expect.poll(() => begun).toBe(2)
    await stop()
    expect(await database.query('SELECT DISTINCT tries, claimed_by, answer FROM letters')).toEqual([
      { tries: 0, claimed_by: null, answer: null },
    ])
  })
})

it('a job that is no longer claimed by its process is aborted', async () => {
  await post(1, 'a')
  const why: unknown[] = []
  const job = letterJob((_row, { signal }) => {
    return new Promise((_resolve, reject) => {
      signal.addEventListener('abort', () => {
        why.push(signal.reason)
        reject(signal.reason)
      })
    })
  })
  await start({ ...job, heartbeat: { everyMs: 50, beat: async () => new Set([anyone]) } })
  await expect.poll(() => why.length).toBeGreaterThan(0)
  expect(String(why[0])).toContain('gone')
})
