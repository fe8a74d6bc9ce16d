// Statements: named, so that they are planned once, and joined, so that several are one.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'

/** SQL with a name of its own, so that the server parses and plans it once per connection. */
export interface Statement {
  readonly name: string
  readonly text: string
  /** Its parameters are arrays with an element per row, so that rows of several requests can share it. */
  readonly ofRows?: true
  /** It counts on a row being in a certain state. When no row is, nothing of what it is joined with is written. */
  readonly mustApply?: true
}

export const statement = (text: string): Statement => ({
  // 63 bytes is PostgreSQL's limit for a name; a hash of the text can neither clash nor go stale.
  name: createHash('sha256').update(text).digest('base64url'),
  text,
})

export const statementOfRows = (text: string): Statement => ({ ...statement(text), ofRows: true })

/** An UPDATE or DELETE with a RETURNING clause that must find its row, or everything it is committed with is undone. */
export const guardedStatement = (text: string): Statement => {
  assert(/\bRETURNING\b/.test(text), 'a guarded write returns what it has written')
  return { ...statement(text), mustApply: true }
}

/** One statement with its values, to be run later. Of a statement of rows it is one row. */
export interface Write {
  readonly statement: Statement
  readonly values: readonly unknown[]
}

/** As the statement wants them when it is run for this write alone. */
export const parametersOf = ({ statement, values }: Write): readonly unknown[] =>
  statement.ofRows ? values.map((value) => [value]) : values

const joined = new Map<string, Statement>()

/**
 * Several writes as one statement, each in a WITH clause of its own: one message to the server instead of a
 * transaction around many. They see the same snapshot, and not each other's rows.
 */
export function together(statements: readonly Statement[]): Statement {
  const names = statements.map(({ name }) => name).join()
  const known = joined.get(names)
  if (known) return known
  let values = 0
  const clauses = statements.map(({ text }, at) => {
    // PostgreSQL never runs a SELECT in a WITH clause that nobody reads.
    assert(/^\s*(INSERT|UPDATE|DELETE)\b/.test(text), 'only writes can be joined')
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
