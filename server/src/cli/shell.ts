// What every command is given: the database and the checks of what was typed.
import type { z } from 'zod'
import type { Infrastructure } from '../main/infrastructure.ts'

export interface Shell {
  withInfrastructure(run: (infrastructure: Infrastructure) => Promise<unknown>): Promise<void>
  checked<Schema extends z.ZodType>(schema: Schema, value: z.input<Schema>): z.output<Schema>
}
