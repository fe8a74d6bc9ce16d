// What every command is given: the terminal, the database and the checks of what was typed.
import type { Command } from 'commander'
import type { z } from 'zod'
import { sentenceFor } from '../http/body/fault-messages.ts'
import type { Config } from '../platform/config.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { Outcome } from './run-with-infrastructure.ts'

/** The parts of their process that commands use. */
export interface Terminal {
  readonly env: NodeJS.ProcessEnv
  readonly stdin: AsyncIterable<Buffer> & { readonly isTTY?: boolean }
  readonly stdout: { write(text: string): unknown }
  readonly stderr: { readonly isTTY?: boolean; write(text: string): unknown }
  exitCode?: number | string | null | undefined
}

export interface Shell {
  readonly terminal: Terminal
  withInfrastructure(run: (infrastructure: Infrastructure) => Promise<unknown>): Promise<void>
  /** For commands that open the database by themselves, or need none. */
  withConfig(run: (config: Config) => Promise<unknown>): Promise<void>
  /** Validates as the API does. */
  checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema>
}

export function openShell(parley: Command, terminal: Terminal): Shell {
  const show = (outcome: Outcome) => {
    if ('refusal' in outcome) parley.error(outcome.refusal)
    if (outcome.result !== undefined)
      terminal.stdout.write(`${shown(outcome.result, parley.opts().json === true)}\n`)
  }
  // What a database needs is loaded late, so that a command without one does not wait for it.
  const load = () => import('./run-with-infrastructure.ts')
  return {
    terminal,
    async withInfrastructure(run) {
      show(await (await load()).runWithInfrastructure(terminal.env, run))
    },
    async withConfig(run) {
      show(await (await load()).runWithConfig(terminal.env, run))
    },
    checked(schema, value) {
      const outcome = schema.safeParse(value)
      if (outcome.success) return outcome.data
      const faults = outcome.error.issues.map(
        (issue) => `${issue.path.join('.') || value}: ${sentenceFor(issue)}`,
      )
      return parley.error(faults.join('\n'))
    },
  }
}

export function shown(result: unknown, json: boolean): string {
  if (json) return JSON.stringify(result, null, 2)
  return Array.isArray(result) ? columns(result) : lines(result as object)
}

const shortest = 20
const gap = 2

function lines(item: object): string {
  const width = Math.max(shortest, ...Object.keys(item).map((name) => name.length + gap))
  return Object.entries(item)
    .map(
      ([name, value]) => `${name.padEnd(width)}${typeof value === 'object' ? JSON.stringify(value) : value}`,
    )
    .join('\n')
}

function columns(items: Record<string, unknown>[]): string {
  // A row that was refused has other fields than one that was not.
  const names = [...new Set(items.flatMap((item) => Object.keys(item)))]
  const table = [names, ...items.map((item) => names.map((name) => cellOf(item[name])))]
  const widths = names.map((_, at) => Math.max(...table.map((row) => row[at]?.length ?? 0)))
  return table
    .map((row) =>
      row
        .map((cell, at) => cell.padEnd(widths[at] ?? 0))
        .join(' '.repeat(gap))
        .trimEnd(),
    )
    .join('\n')
}

const nothing = '–'

function cellOf(value: unknown): string {
  if (value === null || value === undefined) return nothing
  if (typeof value !== 'object') return String(value)
  if (!Array.isArray(value)) return cut(fieldsOf(value)) || nothing
  const isPlain = value.every((item) => typeof item !== 'object')
  return (isPlain ? value.join(', ') : cut(value.map(fieldsOf).join('; '))) || nothing
}

/** Splits an option that is written as name=value. */
export function pairOf(written: string): [string, string] {
  const [name = '', ...value] = written.split('=')
  return [name, value.join('=')]
}

/** "name=Ada, city=Paris" */
const fieldsOf = (item: object): string =>
  Object.entries(item ?? {})
    .map(([name, value]) => `${name}=${typeof value === 'object' ? JSON.stringify(value) : value}`)
    .join(', ')

// Wider columns would push everything else out of sight; --json has all of it.
const widest = 100

const cut = (text: string): string => (text.length > widest ? `${text.slice(0, widest - 1)}…` : text)
