// What every command is given: the database and the checks of what was typed.
import type { z } from 'zod'
import type { Infrastructure } from '../main/infrastructure.ts'
import type { Config } from '../platform/config.ts'

export interface Shell {
  /** For what must not open the database by itself. */
  withConfig(run: (config: Config) => Promise<unknown>): Promise<void>
  withInfrastructure(run: (infrastructure: Infrastructure) => Promise<unknown>): Promise<void>
  checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema>
}
