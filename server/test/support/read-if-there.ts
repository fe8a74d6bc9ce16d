// Reads a file that may be gone since its folder was listed: PostgreSQL replaces some of its own while it runs, and
// dependency-rules.test.ts plants files among the sources for a while.
import { readFileSync } from 'node:fs'

export function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
