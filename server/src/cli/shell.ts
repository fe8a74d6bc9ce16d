// What every command is given: the terminal, the database and the checks of what was typed.
import type { Command } from 'commander'
import type { z } from 'zod'
import { sentenceFor } from '../http/body/fault-messages.ts'
import type { Config } from '../platform/config.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { Outcome } from './run-with-infrastructure.ts'
import { shown } from './shown.ts'

/** What commands use of their process. */
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
  /** For what must not open the database by itself. */
  withConfig(run: (config: Config) => Promise<unknown>): Promise<void>
  /** The same validation as the API. */
  checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema>
}

export function openShell(parley: Command, terminal: Terminal): Shell {
  const show = (outcome: Outcome) => {
    if ('refusal' in outcome) parley.error(outcome.refusal)
    if (outcome.result !== undefined)
      terminal.stdout.write(`${shown(outcome.result, parley.opts().json === true)}\n`)
  }
  // A command that needs no database does not wait for what a database needs.
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
