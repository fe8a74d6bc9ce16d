// The rules of webhook endpoints: where they may point, which events they receive, and that secrets cannot be read
// back.
import { eventNames, type PageQuery, type Webhook, type WebhookStatus } from '@parley/contract'
import { fail } from '../../http/failure.ts'
import { listOf } from '../../http/lists.ts'
import type { Work } from '../../http/work.ts'
import { BoundedMap } from '../../platform/bounded-map.ts'
import type { Db, Queries } from '../../platform/db/db.ts'
import type { Guard } from '../../platform/guard/guard.ts'
import { orTrusted } from '../../platform/guard/rules.ts'
import { newId } from '../../platform/ids.ts'
import { sealedColumn } from '../../platform/reseal.ts'
import type { Vault } from '../../platform/secrets.ts'
import type { Agents } from '../agents/agents.ts'
import { cancelAll, cancelOutOfScope } from './delivery-store.ts'
import { newSecret, type OpenWebhook } from './send.ts'
import {
  findWebhook,
  insertWebhook,
  lockWebhook,
  pageOfWebhooks,
  removeWebhook,
  replaceSecret,
  updateWebhook,
  type WebhookFilter,
  type WebhookRow,
} from './store.ts'

export { deliveries } from './deliveries.ts'
export { type Send, sendThrough } from './send.ts'

const secretPurpose = 'webhook secret'

export const sealedWebhooks = sealedColumn('webhooks', 'secret', 'webhook_id', secretPurpose)

export interface WebhookWish {
  url: string
  events: string[]
  agentId: string | null
  description: string | null
}

export interface WebhookChange {
  url?: string | undefined
  events?: string[] | undefined
  agent_id?: string | null | undefined
  description?: string | null | undefined
  status?: WebhookStatus | undefined
}

export const webhooks = (db: Db, vault: Vault, guard: Guard, agents: Agents) => {
  const check = async (workspaceId: string, { url, events, agent_id }: WebhookChange): Promise<void> => {
    if (events) mustBeOffered(events)
    if (url !== undefined) await mustBePublic(guard, url)
    if (agent_id) await agents.mustExist(workspaceId, agent_id, 'agent_id')
  }
  const seal = (workspaceId: string, webhookId: string, secret: string) =>
    vault.seal(workspaceId, secretPurpose, webhookId, secret)

  return {
    async create(workspaceId: string, wish: WebhookWish, work: Work): Promise<Webhook & { secret: string }> {
      await check(workspaceId, { ...wish, agent_id: wish.agentId })
      const webhookId = newId()
      const secret = newSecret()
      const at = new Date()
      const row: WebhookRow = {
        webhook_id: webhookId,
        url: wish.url,
        events: once(wish.events),
        agent_id: wish.agentId,
        description: wish.description,
        status: 'active',
        secret: seal(workspaceId, webhookId, secret),
        secret_rotated_at: at,
        created_at: at,
        updated_at: at,
        ...notDelivered,
      }
      work.add(insertWebhook(workspaceId, row))
      return { ...view(row), secret }
    },

    list: async (workspaceId: string, filter: WebhookFilter, query: PageQuery) =>
      listOf(query, await pageOfWebhooks(db, workspaceId, filter, query), view),

    get: async (workspaceId: string, webhookId: string): Promise<Webhook> =>
      view(await find(db, workspaceId, webhookId)),

    /** With its secret decrypted, for signing. */
    async open(workspaceId: string, webhookId: string): Promise<OpenWebhook> {
      const row = await find(db, workspaceId, webhookId)
      if (row.status === 'disabled') fail('WEBHOOK_DISABLED')
      return {
        webhookId,
        url: row.url,
        agentId: row.agent_id,
        secret: openSecret(vault, webhookId, row.secret),
      }
    },

    async update(workspaceId: string, webhookId: string, change: WebhookChange): Promise<Webhook> {
      await find(db, workspaceId, webhookId)
      await check(workspaceId, change)
      return db.transaction(async (tx) => {
        if (!(await lockWebhook(tx, workspaceId, webhookId))) fail('WEBHOOK_NOT_FOUND')
        const before = await find(tx, workspaceId, webhookId)
        const given = Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
        const after: WebhookRow = { ...before, ...given }
        await updateWebhook(tx, { ...after, events: once(after.events) })
        if (after.status === 'disabled') await cancelAll(tx, webhookId)
        else if (after.agent_id !== null) await cancelOutOfScope(tx, webhookId, after.agent_id)
        return view(await find(tx, workspaceId, webhookId))
      })
    },

    async rotate(workspaceId: string, webhookId: string, work: Work): Promise<{ secret: string }> {
      await find(db, workspaceId, webhookId)
      const secret = newSecret()
      work.add(replaceSecret(webhookId, seal(workspaceId, webhookId, secret)))
      return { secret }
    },

    async remove(workspaceId: string, webhookId: string) {
      await db.transaction(async (tx) => {
        if (!(await removeWebhook(tx, workspaceId, webhookId))) fail('WEBHOOK_NOT_FOUND')
        await cancelAll(tx, webhookId)
      })
      return { webhook_id: webhookId, deleted: true as const }
    },
  }
}

export type Webhooks = ReturnType<typeof webhooks>

const find = async (db: Queries, workspaceId: string, webhookId: string): Promise<WebhookRow> =>
  (await findWebhook(db, workspaceId, webhookId)) ?? fail('WEBHOOK_NOT_FOUND')

const notDelivered = {
  last_delivery_id: null,
  last_status: null,
  last_http_status: null,
  last_created_at: null,
}

const once = (events: readonly string[]): string[] => [...new Set(events)]

const openSecret = (vault: Vault, webhookId: string, sealed: Buffer): string =>
  vault.open(secretPurpose, webhookId, sealed)

// More endpoints than receive events within a minute; beyond that, memory is worth more than a few microseconds.
const mostRemembered = 10_000

/** Decrypts secrets for thousands of signatures a second: caches them until the encrypted bytes change. */
export function secretReader(vault: Vault): (webhookId: string, sealed: Buffer) => string {
  const opened = new BoundedMap<string, { sealed: Buffer; secret: string }>(mostRemembered)
  return (webhookId, sealed) => {
    const known = opened.get(webhookId)
    if (known?.sealed.equals(sealed)) return known.secret
    const secret = openSecret(vault, webhookId, sealed)
    opened.set(webhookId, { sealed, secret })
    return secret
  }
}

function mustBeOffered(events: string[]): void {
  const details = events.flatMap((name, at) =>
    (eventNames as readonly string[]).includes(name)
      ? []
      : [
          {
            path: `events.${at}`,
            message: `${JSON.stringify(name)} is not offered; only call.completed is.`,
          },
        ],
  )
  if (details.length > 0) fail('UNSUPPORTED_EVENT', { details })
}

async function mustBePublic(guard: Guard, url: string): Promise<void> {
  const verdict = await guard.inspect(url)
  if (verdict.ok) return
  const message = orTrusted(verdict, 'receiver')
  fail('WEBHOOK_URL_NOT_PUBLIC', { details: [{ path: 'url', message }] })
}

const view = (row: WebhookRow): Webhook =>
  ({
    webhook_id: row.webhook_id,
    url: row.url,
    events: row.events,
    agent_id: row.agent_id,
    description: row.description,
    status: row.status,
    secret_rotated_at: row.secret_rotated_at.toISOString(),
    last_delivery: row.last_delivery_id && {
      delivery_id: row.last_delivery_id,
      status: row.last_status,
      http_status: row.last_http_status,
      created_at: row.last_created_at?.toISOString(),
    },
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  }) as Webhook
