// The HTTP side of a process: which doors are open, and what is mounted at each.

import { mountPaths, transcriptOperations, voiceOperations } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { buildApp } from '../http/app.ts'
import type { KeyRing } from '../http/authenticate.ts'
import { openAdmissions } from '../http/doors/admissions.ts'
import { type DashboardDoor, dashboardDoor } from '../http/doors/dashboard-door.ts'
import { listenDoor } from '../http/doors/listen-door.ts'
import { mcpDoor } from '../http/doors/mcp-door.ts'
import { transcriptionDoor } from '../http/doors/transcription-door.ts'
import { voiceDoor } from '../http/doors/voice-door.ts'
import { Idempotency } from '../http/idempotency.ts'
import { answerStore } from '../http/idempotency-store.ts'
import { openApiDocument } from '../http/openapi/openapi.ts'
import { transcriptionFace, voiceFace } from '../http/openapi/openapi-faces.ts'
import { mountOperations } from '../http/operations.ts'
import { mountDocument, mountPages } from '../http/pages/pages.ts'
import { type RateLimit, rateLimit } from '../http/rate-limit.ts'
import { Readiness } from '../http/readiness.ts'
import type { Db } from '../platform/db/db.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import { UpgradeRoutes, type Upgrades } from '../platform/upgrades.ts'
import { openListening } from '../resources/calls/calls.ts'
import { mountDraftCalls, mountRecordings, mountSharedCalls } from '../resources/calls/routes.ts'
import { keys, openKeyRing } from '../resources/keys/keys.ts'
import { mountKeys } from '../resources/keys/routes.ts'
import { mcp } from '../resources/mcp/mcp.ts'
import { mountFileContents, mountTranscripts } from '../resources/transcripts/routes.ts'
import type { TranscriptionService } from '../resources/transcripts/work.ts'
import { mountUsers } from '../resources/users/routes.ts'
import { invitations, sessions, type UserSessions, users } from '../resources/users/users.ts'
import { mountVoiceSamples } from '../resources/voices/routes.ts'
import { mountWorkspaces } from '../resources/workspaces/routes.ts'
import { workspaceDeletions, workspaces } from '../resources/workspaces/workspaces.ts'
import { mountInWorkspace, openWorkspaceResources, type ResourceParts } from './workspace-resources.ts'

/** The interfaces of a process's roles. Without any it only serves its health. */
export async function wireHttp(parts: ResourceParts, transcription: TranscriptionService | undefined) {
  const { infrastructure, metrics } = parts
  const { config, log, db, traces } = infrastructure
  const readiness = new Readiness(config.roles)
  const { trustProxy, uploadSeconds, authFailureLimit } = config
  await using opened = new AsyncDisposableStack()
  const upgrades = new UpgradeRoutes()
  const app = buildApp({ log, metrics, traces, upgrades, trustProxy, uploadSeconds, authFailureLimit })
  // The hooks of the app close everything that was opened for it.
  opened.defer(() => app.close())
  mountOperations(app, db, metrics, readiness)
  const doors = config.roles.filter((role) => role === 'api' || role === 'speech')
  if (doors.length > 0) {
    const keyRing = await openKeyRing(db, (err) => log.warn({ err }, 'last use of keys not stored'))
    app.addHook('onClose', () => keyRing.close())
    const entrance = { db, keys: keyRing, rateLimit: rateLimit(config, db) }
    if (doors.includes('api')) await openVoiceDoors(app, parts, readiness, transcription, entrance, upgrades)
    if (transcription) {
      app.addHook('preClose', () => transcription.endings.close())
      if (doors.includes('speech')) openTranscriptionDoor(app, transcription, entrance)
    }
  }
  opened.move()
  return { app, upgrades, readiness }
}

export type HttpSide = Awaited<ReturnType<typeof wireHttp>>

interface Entrance {
  db: Db
  readonly keys: KeyRing
  readonly rateLimit: RateLimit
}

async function openVoiceDoors(
  app: FastifyInstance,
  parts: ResourceParts,
  readiness: Readiness,
  transcription: TranscriptionService | undefined,
  entrance: Entrance,
  upgrades: Upgrades,
): Promise<void> {
  const { infrastructure, archive } = parts
  const { config, db, vault } = infrastructure
  const resources = await openWorkspaceResources(app, parts, readiness)
  const { agents, calls, liveCalls } = resources

  mountRecordings(app, archive.recordings)
  mountSharedCalls(app, resources.sharedCalls)
  mountVoiceSamples(app, resources.voices)
  mountPages(app, config.browserUrl)
  mountDocument(app, voiceFace.prefix, () => openApiDocument(voiceOperations, voiceFace))
  const watch = (sessionId: string, signal: AbortSignal) => liveCalls.watch(sessionId, 0, signal)
  mcpDoor(app, { ...entrance, answer: mcp({ db, agents, calls, watch }) })
  const idempotency = new Idempotency(answerStore(db, vault))
  app.register(async (door) => mountInWorkspace(voiceDoor(door, { ...entrance, idempotency }), resources), {
    prefix: voiceFace.prefix,
  })
  const userSessions = sessions(db)
  const { admissions, close: closeAdmissions } = await openAdmissions(db)
  app.addHook('preClose', () => closeAdmissions())
  const listening = listenDoor(upgrades, {
    sessions: userSessions,
    admissions,
    log: infrastructure.log,
    mustExist: calls.mustExist,
    listen: openListening(db),
  })
  app.addHook('preClose', async () => listening.close())
  app.register(
    async (dashboard) => {
      const tray = transcription?.tray
      const door = dashboardDoor(dashboard, { sessions: userSessions, db, tray, admissions })
      mountInstallation(door, infrastructure, userSessions)
      mountInWorkspace(door.inWorkspace, resources)
      mountDraftCalls(door.inWorkspace, agents, resources.draftCalls)
      if (transcription) mountTranscripts(door.inWorkspace, transcription.desk)
    },
    { prefix: mountPaths.dashboard },
  )
}

/** What belongs to no workspace: users, keys and workspaces themselves. */
function mountInstallation(
  door: DashboardDoor,
  { db, config: { invitationHours: validHours, publicUrl } }: Infrastructure,
  userSessions: UserSessions,
): void {
  mountUsers(door, {
    users: users(db),
    sessions: userSessions,
    invitations: invitations({ db, validHours, publicUrl }),
    workspaces: workspaces(db),
  })
  mountWorkspaces(door, workspaces(db), workspaceDeletions(db))
  mountKeys(door, keys(db), workspaces(db))
}

function openTranscriptionDoor(
  app: FastifyInstance,
  { desk, tray }: TranscriptionService,
  entrance: Entrance,
): void {
  mountFileContents(app, desk.files)
  mountDocument(app, transcriptionFace.prefix, () => openApiDocument(transcriptOperations, transcriptionFace))
  app.register(async (door) => mountTranscripts(transcriptionDoor(door, { ...entrance, tray }), desk), {
    prefix: transcriptionFace.prefix,
  })
}
