// Calls that are shown to anybody with a signed link, until it expires.
import { type CallDetail, SharedCall, sharedPath } from '@parley/contract'
import { fillPath } from '@parley/contract/addresses'
import { signedLinks } from '../../../http/doors/signed-links.ts'
import { fail } from '../../../http/failure.ts'
import type { Queries } from '../../../platform/db/db.ts'
import type { Vault } from '../../../platform/secrets.ts'
import { findOwner } from '../store.ts'

const defaultHours = 24

/** The operations on calls that a shared page needs. */
interface ReadableCalls {
  mustExist(workspaceId: string, sessionId: string): Promise<void>
  get(workspaceId: string, sessionId: string): Promise<CallDetail>
}

export const sharedCalls = (db: Queries, vault: Vault, calls: ReadableCalls) => {
  const linksFrom = (origin: string, hours = defaultHours) =>
    signedLinks({
      vault,
      purpose: 'shared call',
      publicUrl: () => origin,
      urlSeconds: hours * 3600,
    })

  return {
    /** `origin` is the URL through which the client reached us. */
    async share(workspaceId: string, sessionId: string, hours: number | undefined, origin: string) {
      await calls.mustExist(workspaceId, sessionId)
      const id = sessionId.toLowerCase()
      const { url, expiry } = linksFrom(origin, hours).link(fillPath(sharedPath, { session_id: id }), id)
      return { url, expires_at: expiry }
    },

    /** Fails if the link is not ours or has expired, and if the call is gone. */
    async read(sessionId: string, query: unknown): Promise<SharedCall> {
      const id = sessionId.toLowerCase()
      if (!linksFrom('').isValid(id, query)) fail('SHARED_LINK_INVALID')
      const owner = (await findOwner(db, id)) ?? fail('SHARED_LINK_INVALID')
      const expiresAt = new Date(Number((query as { expires: string }).expires) * 1000)
      const detail = await calls.get(owner.workspace_id, id)
      const shown = Object.keys(SharedCall.shape).filter((name) => name in detail)
      return {
        ...Object.fromEntries(shown.map((name) => [name, detail[name as keyof typeof detail]])),
        // What tools were asked and answered is between the agent and your systems.
        transcript: detail.transcript?.filter(({ role }) => role !== 'tool') ?? null,
        agent_name: owner.agent_name,
        expires_at: expiresAt.toISOString(),
      } as SharedCall
    },
  }
}

export type SharedCalls = ReturnType<typeof sharedCalls>
