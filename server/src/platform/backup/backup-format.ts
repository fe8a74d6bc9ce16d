// The description of a back-up, in its first and its last entry.
import { z } from 'zod'

export const formatVersion = 1

const names = z.array(z.string()).readonly()

export const Manifest = z.object({
  format: z.literal(formatVersion),
  made_at: z.string(),
  /** The fingerprints identify the secrets that its values are sealed with; the secrets themselves are not in it. */
  secret_fingerprints: names,
  migrations: names,
  tables: z.array(z.object({ name: z.string(), columns: names })).readonly(),
  sequences: z.array(z.object({ name: z.string(), value: z.string() })).readonly(),
})
export type Manifest = z.infer<typeof Manifest>

export const End = z.object({
  tables: z.number(),
  files: z.number(),
  /** Files that the database knows and that were not found. */
  missing: z.number(),
})
export type End = z.infer<typeof End>

export interface BackupReport extends End {
  /** Which secret opens what is in it. */
  readonly secret: string
}

/** Called with what is being worked on, and how many bytes of it there were so far. */
export type OnProgress = (what: string, bytes: number) => void
