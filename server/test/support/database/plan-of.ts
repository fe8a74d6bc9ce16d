// The generic plan of a statement: the one PostgreSQL caches for all parameter values.
import type { Db, Queries, Statement } from '../../../src/platform/db/db.ts'

/** The plan of the statement that `ask` executes. */
export async function planOf(db: Db, ask: (queries: Queries) => Promise<unknown>): Promise<string> {
  let asked: Statement | undefined
  const rows = async (statement: Statement) => {
    asked = statement
    return []
  }
  await ask({ rows, row: async (statement) => void (await rows(statement)) })
  const { rows: lines } = await db.pool.query(`EXPLAIN (GENERIC_PLAN) ${asked?.text}`)
  const plan = lines.map((line) => line['QUERY PLAN']).join('\n')
  // A new table has one partition; its indexes are called here as those of the table.
  return plan.replaceAll('_first', '')
}
