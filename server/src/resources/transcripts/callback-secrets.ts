// The secret that signs the callbacks of a workspace: a single one, so that a receiver has to know only one.
import { randomBytes } from 'node:crypto'
import { type Queries, statement } from '../../platform/db/db.ts'
import { sealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'

const purpose = 'callback secret'

export const sealedCallbackSecrets = sealedColumn('callback_secrets', 'secret', 'workspace_id', purpose)

const ensure = statement(`
  WITH made AS (
    INSERT INTO callback_secrets (workspace_id, secret) VALUES ($1, $2) ON CONFLICT DO NOTHING RETURNING secret
  )
  SELECT secret FROM made UNION ALL SELECT secret FROM callback_secrets WHERE workspace_id = $1 LIMIT 1`)

const replace = statement(`
  INSERT INTO callback_secrets (workspace_id, secret) VALUES ($1, $2)
  ON CONFLICT (workspace_id) DO UPDATE SET secret = EXCLUDED.secret`)

export const callbackSecrets = (db: Queries, vault: Vault) => {
  const fresh = (workspaceId: string) => {
    const secret = `whsec_${randomBytes(32).toString('base64')}`
    return { secret, sealed: vault.seal(workspaceId, purpose, workspaceId, secret) }
  }

  return {
    async read(workspaceId: string): Promise<{ secret: string }> {
      const row = await db.row<{ secret: Buffer }>(ensure, [workspaceId, fresh(workspaceId).sealed])
      // Concurrent first use: the loser's statement returns neither row, so it reads again.
      return row ? { secret: vault.open(purpose, workspaceId, row.secret) } : this.read(workspaceId)
    },

    async rotate(workspaceId: string): Promise<{ secret: string }> {
      const { secret, sealed } = fresh(workspaceId)
      await db.rows(replace, [workspaceId, sealed])
      return { secret }
    },
  }
}

export type CallbackSecrets = ReturnType<typeof callbackSecrets>
