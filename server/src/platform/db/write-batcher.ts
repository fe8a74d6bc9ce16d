// Batches rows that arrive while others are being written into one statement and one commit.
//
// Without load, a row is sent immediately. Under load, one round trip and one commit serve all rows that arrived during
// the previous one. Each row still succeeds or fails by itself: if a batch fails, every row is retried alone.
import pg from 'pg'
import type { Statement } from './statement.ts'

export type RunStatement = (statement: Statement, values: unknown[]) => Promise<unknown>

interface Row {
  readonly values: readonly unknown[]
  resolve(): void
  reject(error: unknown): void
}

// One batch runs in the database while the next is on its way.
const mostUnderWay = 2
// In a larger batch the statement itself dominates, and the first row waits for the last.
const mostTogether = 64

export class WriteBatcher {
  readonly #run: RunStatement
  readonly #queues = new Map<Statement, { rows: Row[]; underWay: number }>()

  constructor(run: RunStatement) {
    this.#run = run
  }

  /** Every parameter of the statement is an array with one element per row. */
  write(statement: Statement, values: readonly unknown[]): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const queue = this.#queues.get(statement) ?? { rows: [], underWay: 0 }
    this.#queues.set(statement, queue)
    queue.rows.push({ values, resolve, reject })
    this.#send(statement)
    return promise
  }

  #send(statement: Statement): void {
    const queue = this.#queues.get(statement)
    if (!queue || queue.rows.length === 0 || queue.underWay === mostUnderWay) return
    const rows = queue.rows.splice(0, mostTogether)
    queue.underWay++
    void this.#runAll(statement, rows).then(() => {
      queue.underWay--
      this.#send(statement)
    })
  }

  async #runAll(statement: Statement, rows: readonly Row[]): Promise<void> {
    try {
      await this.#run(statement, columnsOf(rows))
      for (const row of rows) row.resolve()
    } catch (error) {
      // The database rejected the batch, so nothing was written; most likely one row is at fault.
      const oneIsToBlame = rows.length > 1 && error instanceof pg.DatabaseError
      if (oneIsToBlame) await Promise.all(rows.map((row) => this.#runAll(statement, [row])))
      else for (const row of rows) row.reject(error)
    }
  }
}

const columnsOf = (rows: readonly Row[]): unknown[] =>
  (rows[0]?.values ?? []).map((_, column) => rows.map(({ values }) => values[column]))
