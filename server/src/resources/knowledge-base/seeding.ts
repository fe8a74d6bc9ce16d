// Agents that wait for their knowledge base: `seeding` until a repository that has never been searchable is ready.
import { type Queries, statement } from '../../platform/db/db.ts'

// True of a repository whose documents are on their way while none has ever been ready: an agent would only answer
// that it does not know.
const unready = `EXISTS (
    SELECT 1 FROM knowledge_documents d WHERE d.repository_id = r.repository_id AND d.status IN ('queued', 'processing'))
  AND NOT EXISTS (
    SELECT 1 FROM knowledge_documents d WHERE d.repository_id = r.repository_id AND d.version > 0)`

const among = statement(`
  SELECT 1 FROM knowledge_repositories r WHERE r.repository_id = ANY($1::uuid[]) AND ${unready} LIMIT 1`)

const activate = statement(`
  UPDATE agents SET status = 'active', updated_at = now()
  WHERE status = 'seeding' AND NOT EXISTS (
    SELECT 1 FROM json_array_elements_text(CASE json_typeof(config -> 'repository_ids')
      WHEN 'array' THEN config -> 'repository_ids' ELSE '[]' END) AS named
    JOIN knowledge_repositories r ON r.repository_id::text = lower(named) WHERE ${unready})`)

/** Whether an agent that names these has to wait. */
export const seedingAmong = async (db: Queries, ids: readonly string[]): Promise<boolean> =>
  (await db.row(among, [ids])) !== undefined

/** Agents whose repositories are ready take calls. */
export const activateSeeded = (db: Queries) => db.rows(activate)
