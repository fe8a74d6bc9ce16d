// One row of the results: the claim, the measurement and its yardstick.
import { pathToFileURL } from 'node:url'
import { keepCoresAwake } from './awake-cores.ts'

export interface Row {
  readonly claim: string
  readonly measured: string
  readonly yardstick: string
  readonly ratio: string
  readonly target: string
  readonly verdict: 'pass' | 'FAIL' | 'too noisy to say' | 'no target'
}

export const verdict = (kept: boolean): Row['verdict'] => (kept ? 'pass' : 'FAIL')

const columns = ['claim', 'measured', 'yardstick', 'ratio', 'target', 'verdict'] as const

export const asTable = (rows: readonly Row[]): string =>
  [columns, columns.map(() => '---'), ...rows.map((row) => columns.map((column) => row[column]))]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')

/** Printed by a script that could not measure: bench/run.ts keeps what was measured before. */
export const notMeasured = 'Not measured'

interface Conditions {
  /**
   * Whether the cores are kept awake. False: several processes that fill all cores are measured by what they get done,
   * and run better without.
   */
  readonly coresAwake?: boolean
}

/** Prints the rows when the file is run directly, and exits with 1 if a claim does not hold. */
export async function printIfMain(
  moduleUrl: string,
  measure: () => Promise<Row[]>,
  { coresAwake = true }: Conditions = {},
): Promise<void> {
  if (moduleUrl !== pathToFileURL(process.argv[1] ?? '').href) return
  if (coresAwake) keepCoresAwake()
  const rows = await measure()
  console.log(
    rows.length > 0
      ? asTable(rows)
      : `${notMeasured}: the weights, the clips of speech or a program that it needs are not here.`,
  )
  if (rows.some((row) => row.verdict === 'FAIL')) process.exitCode = 1
}
