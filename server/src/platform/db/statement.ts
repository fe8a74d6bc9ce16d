// SQL statements: named, so that they are planned once, and combined, so that several are sent as one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** SQL with a unique name, so that the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
  /**
   * True if the parameters are arrays with one element per row, so that rows of several requests can share a
   * statement.
   */
  readonly ofRows?: true
  /**
   * True if the statement expects a row in a certain state. Without such a row, the writes it is combined with are
   * not applied either.
   */
  readonly mustApply?: true
}

export const statement = (text: string): Statement => ({
  // PostgreSQL limits names to 63 bytes; a hash of the text never clashes and never goes stale.
  name: createHash('sha256').update(text).digest('base64url'),
  text,
})

export const statementOfRows = (text: string): Statement => ({ ...statement(text), ofRows: true })

/** A write with a RETURNING clause, or a SELECT, that must find its row; otherwise the whole commit is undone. */
export const guardedStatement = (text: string): Statement => {
  assert(/^\s*SELECT\b|\bRETURNING\b/.test(text), 'a guarded write needs a RETURNING clause')
  return { ...statement(text), mustApply: true }
}

export interface Queries {
  rows<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row[]>
  row<Row>(statement: Statement, values?: readonly unknown[]): Promise<Row | undefined>
  /** The queries of lists and search, on a replica if there is one. Absent in a transaction. */
  readonly reader?: Queries
}

/** A statement with its values, to be run later. For a statement of rows, one row. */
export interface Write {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** The parameters for running this write alone. */
export const parametersOf = ({ statement, values }: Write): readonly unknown[] =>
  statement.ofRows ? values.map((value) => [value]) : values

const joined = new Map<string, Statement>()

/**
 * Combines several writes into one statement, each in a WITH clause: one message to the server instead of a
 * transaction. They all see the same snapshot, and not each other's rows.
 */
export function together(statements: readonly Statement[]): Statement {
  const names = statements.map(({ name }) => name).join()
  const known = joined.get(names)
  if (known) return known
  let values = 0
  const clauses = statements.map(({ text, mustApply }, at) => {
    // PostgreSQL does not run a SELECT in a WITH clause that is not referenced, as a guarded one is.
    assert(mustApply || /^\s*(INSERT|UPDATE|DELETE)\b/.test(text), 'only writes can be combined')
    const shift = values
    const renumbered = text.replaceAll(/\$(\d+)/g, (_, number: string) => {
      values = Math.max(values, shift + Number(number))
      return `$${shift + Number(number)}`
    })
    return `w${at} AS (${renumbered})`
  })
  const demands = statements.flatMap(({ mustApply }, at) =>
    mustApply ? [`must_apply((SELECT count(*) FROM w${at}))`] : [],
  )
  const text = `WITH ${clauses.join(', ')} SELECT ${demands.join(', ')}`.trimEnd()
  const made = statements.every(({ ofRows }) => ofRows) ? statementOfRows(text) : statement(text)
  joined.set(names, made)
  return made
}
