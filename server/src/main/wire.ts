// Who gets what: the one place where the parts are put together.
import { voiceOperations } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../http/app.ts'
import { dashboardDoor } from '../http/dashboard-door.ts'
import { Idempotency } from '../http/idempotency.ts'
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { openApiDocument } from '../http/openapi.ts'
import { mountOperations, type Readiness } from '../http/operations.ts'
import { mountPages } from '../http/pages.ts'
import { rateLimit } from '../http/rate-limit.ts'
import { voiceDoor } from '../http/voice-door.ts'
import { agents } from '../resources/agents/agents.ts'
import { mountAgents } from '../resources/agents/routes.ts'
import { callBook } from '../resources/calls/calls.ts'
import { LiveCalls } from '../resources/calls/live.ts'
import { mountRecordings } from '../resources/calls/recording-routes.ts'
import { mountCalls } from '../resources/calls/routes.ts'
import { openKeyRing } from '../resources/keys/key-ring.ts'
import { keys } from '../resources/keys/keys.ts'
import { mountKeys } from '../resources/keys/routes.ts'
import { mountUsers } from '../resources/users/routes.ts'
import { sessions } from '../resources/users/sessions.ts'
import { users } from '../resources/users/users.ts'
import { deliveries } from '../resources/webhooks/deliveries.ts'
import { mountWebhooks } from '../resources/webhooks/routes.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import { webhooks } from '../resources/webhooks/webhooks.ts'
import { mountWorkspaces } from '../resources/workspaces/routes.ts'
import { workspaces } from '../resources/workspaces/workspaces.ts'
import type { Archive } from './archive.ts'
import type { Floor } from './floor.ts'

export interface Wired {
  readonly app: FastifyInstance
  readonly readiness: Readiness
}

/** The HTTP side of a process. Without the api role it only tells how it is. */
export async function wireHttp(
  { config, log, db, vault, guard }: Floor,
  metrics: Metrics,
  { recordings }: Archive,
): Promise<Wired> {
  const readiness: Readiness = { draining: false }
  const app = buildApp({ log, metrics, trustProxy: config.trustProxy })
  mountOperations(app, db, metrics, readiness)
  if (!config.roles.includes('api')) return { app, readiness }

  const ring = await openKeyRing(db, (err) => log.warn({ err }, 'last use of keys not stored'))
  app.addHook('onClose', () => ring.close())
  const idempotency = new Idempotency(answerStore(db, vault))
  const limit = rateLimit(config, db)

  const cast = agents(db, vault)
  const book = callBook({
    db,
    agents: cast,
    eventDelaySeconds: config.callEventDelaySeconds,
    linkTo: recordings.link,
    browserUrl: config.browserUrl,
    joinSeconds: config.joinSeconds,
  })
  const live = await new LiveCalls(db).open()
  app.addHook('preClose', () => live.close())
  const hooks = webhooks(db, vault, guard, cast)
  const deliveryLog = deliveries(db, hooks, sendThrough(guard, config.webhookTimeoutSeconds * 1000))

  mountRecordings(app, recordings)
  mountPages(app, JSON.stringify(openApiDocument(voiceOperations)), config.browserUrl)
  app.register(
    async (voice) => {
      const mount = voiceDoor(voice, { keys: ring, rateLimit: limit, idempotency })
      mountAgents(mount, cast)
      mountCalls(mount, book, live)
      mountWebhooks(mount, hooks, deliveryLog)
    },
    { prefix: '/agent/v1' },
  )
  app.register(
    async (office) => {
      const people = sessions(db)
      const door = dashboardDoor(office, people, db)
      mountUsers(door, users(db), people, workspaces(db))
      mountWorkspaces(door, workspaces(db))
      mountKeys(door, keys(db), workspaces(db))
      mountAgents(door.inWorkspace, cast)
      mountCalls(door.inWorkspace, book, live)
      mountWebhooks(door.inWorkspace, hooks, deliveryLog)
    },
    { prefix: '/dashboard/api' },
  )
  return { app, readiness }
}
