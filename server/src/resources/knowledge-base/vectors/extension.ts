// Whether the database has pgvector, or lets us create it.
import { type Queries, statement } from '../../../platform/db/db.ts'

export type Extension =
  | { readonly version: string }
  /** A sentence that says why pgvector is missing. */
  | { readonly missing: string }

const look = statement(`
  SELECT (SELECT extversion FROM pg_extension WHERE extname = 'vector') AS installed,
    EXISTS (SELECT FROM pg_available_extensions WHERE name = 'vector') AS "isAvailable",
    to_regtype('vector') IS NOT NULL AS "isVisible"`)
// It is trusted: the owner of a database may create it.
const create = statement('CREATE EXTENSION IF NOT EXISTS vector')

interface ExtensionRow {
  installed: string | null
  isAvailable: boolean
  isVisible: boolean
}

export async function findExtension(db: Queries): Promise<Extension> {
  let seen = await db.row<ExtensionRow>(look)
  let refused = ''
  if (seen && seen.installed === null && seen.isAvailable) {
    await db.rows(create).catch((error: Error) => (refused = error.message))
    // Another process may have been faster.
    seen = await db.row<ExtensionRow>(look)
  }
  if (!seen?.isAvailable && !seen?.installed) return { missing: 'The database server has no pgvector.' }
  if (seen.installed === null) return { missing: `pgvector cannot be created by this role: ${refused}.` }
  if (!seen.isVisible) return { missing: 'pgvector is in a schema outside of the search_path.' }
  if (!goesOnScanning(seen.installed))
    return {
      missing: `pgvector is ${seen.installed}; a search in one of many repositories needs 0.8 or newer.`,
    }
  return { version: seen.installed }
}

/** Older ones look at a fixed number of the nearest of all repositories, and find too few in one of them. */
function goesOnScanning(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > 0 || minor >= 8
}
