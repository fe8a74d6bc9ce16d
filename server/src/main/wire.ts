// The one place where the parts are put together.

import { mountPaths, transcriptOperations, voiceOperations } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { openVoiceSamples } from '../engines/voice/voice-samples.ts'
import { buildApp } from '../http/app.ts'
import type { KeyRing } from '../http/authenticate.ts'
import { openAdmissions } from '../http/doors/admissions.ts'
import { dashboardDoor } from '../http/doors/dashboard-door.ts'
import { listenDoor } from '../http/doors/listen-door.ts'
import { mcpDoor } from '../http/doors/mcp-door.ts'
import { signedLinks } from '../http/doors/signed-links.ts'
import { transcriptionDoor } from '../http/doors/transcription-door.ts'
import { voiceDoor } from '../http/doors/voice-door.ts'
import { Idempotency } from '../http/idempotency.ts'
import { answerStore } from '../http/idempotency-store.ts'
import type { Metrics } from '../http/metrics.ts'
import { openApiDocument } from '../http/openapi/openapi.ts'
import { transcriptionFace, voiceFace } from '../http/openapi/openapi-faces.ts'
import { mountOperations } from '../http/operations.ts'
import { mountDocument, mountPages } from '../http/pages/pages.ts'
import { type RateLimit, rateLimit } from '../http/rate-limit.ts'
import { Readiness } from '../http/readiness.ts'
import { operatorModels } from '../mind/model/choose-model.ts'
import { modelCatalogue } from '../mind/model/choose-server.ts'
import { toolTrials } from '../mind/tools/try-tool.ts'
import type { Db } from '../platform/db/db.ts'
import { openGuard } from '../platform/guard/guard.ts'
import { UpgradeRoutes, type Upgrades } from '../platform/upgrades.ts'
import type { ChooseCarrier } from '../ports/choose-carrier.ts'
import type { CheckTrunk } from '../ports/trunk.ts'
import { agents } from '../resources/agents/agents.ts'
import { mountAgents } from '../resources/agents/routes.ts'
import { batches } from '../resources/batches/batches.ts'
import { LiveBatches } from '../resources/batches/live-batches.ts'
import { resultLines } from '../resources/batches/results.ts'
import { mountBatches } from '../resources/batches/routes.ts'
import { callers } from '../resources/callers/callers.ts'
import { mountCallers } from '../resources/callers/routes.ts'
import { callOperations } from '../resources/calls/calls.ts'
import { draftCalls } from '../resources/calls/draft-calls.ts'
import { openListening } from '../resources/calls/listening/listening.ts'
import { LiveCalls } from '../resources/calls/listening/live-calls.ts'
import { sharedCalls } from '../resources/calls/listening/shared-calls.ts'
import { mountSharedCalls } from '../resources/calls/listening/shared-routes.ts'
import { mountRecordings } from '../resources/calls/recordings/recording-routes.ts'
import { mountCalls, mountDraftCalls } from '../resources/calls/routes.ts'
import { credentials, storedNames } from '../resources/credentials/credentials.ts'
import { mountCredentials } from '../resources/credentials/routes.ts'
import { openKeyRing } from '../resources/keys/key-ring.ts'
import { keys } from '../resources/keys/keys.ts'
import { mountKeys } from '../resources/keys/routes.ts'
import { knowledgeBase } from '../resources/knowledge-base/knowledge-base.ts'
import { mountKnowledgeBase } from '../resources/knowledge-base/routes.ts'
import { mcp } from '../resources/mcp/mcp.ts'
import { models } from '../resources/models/models.ts'
import { mountModels } from '../resources/models/routes.ts'
import { outbound, phoneNumbers } from '../resources/phone-numbers/phone-numbers.ts'
import { mountPhoneNumbers } from '../resources/phone-numbers/routes.ts'
import { pronunciations } from '../resources/pronunciations/pronunciations.ts'
import { mountPronunciations } from '../resources/pronunciations/routes.ts'
import { mountTools } from '../resources/tools/routes.ts'
import { tools } from '../resources/tools/tools.ts'
import { mountFileContents } from '../resources/transcripts/file-content-routes.ts'
import { mountTranscripts } from '../resources/transcripts/routes.ts'
import { mountUsage } from '../resources/usage/routes.ts'
import { notices, usage } from '../resources/usage/usage.ts'
import { invitations } from '../resources/users/invitations.ts'
import { mountPeople } from '../resources/users/routes.ts'
import { sessions } from '../resources/users/sessions.ts'
import { users } from '../resources/users/users.ts'
import { mountVoiceSamples, mountVoices } from '../resources/voices/routes.ts'
import { voices } from '../resources/voices/voices.ts'
import { deliveries } from '../resources/webhooks/deliveries.ts'
import { mountWebhooks } from '../resources/webhooks/routes.ts'
import { sendThrough } from '../resources/webhooks/send.ts'
import { webhooks } from '../resources/webhooks/webhooks.ts'
import { mountWorkspaces } from '../resources/workspaces/routes.ts'
import { workspaceDeletions, workspaces } from '../resources/workspaces/workspaces.ts'
import { credentialVendors } from '../vendors/credential-vendors.ts'
import { agentChecks } from './agent-checks.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { Knowledge } from './knowledge.ts'
import type { RecordingArchive } from './recording-archive.ts'
import type { TranscriptionService } from './transcription.ts'

export interface Wired {
  readonly app: FastifyInstance
  /** Where WebSockets are accepted. */
  readonly upgrades: Upgrades
  readonly readiness: Readiness
}

/** What the interfaces need to know about telephone lines. */
export interface Lines {
  readonly choose: ChooseCarrier
  /** It changes when this process gets the SIP line itself. */
  readonly checkTrunk: CheckTrunk
}

/** The HTTP side of a process: the interfaces of its roles. Without any it only serves its health. */
export async function wireHttp(
  infrastructure: Infrastructure,
  metrics: Metrics,
  archive: RecordingArchive,
  transcription: TranscriptionService | undefined,
  lines: Lines,
  knowledge: Knowledge,
): Promise<Wired> {
  const { config, log, db, traces } = infrastructure
  const readiness = new Readiness(config.roles)
  const { trustProxy, uploadSeconds, authFailureLimit } = config
  await using opened = new AsyncDisposableStack()
  const upgrades = new UpgradeRoutes()
  const app = buildApp({ log, metrics, traces, upgrades, trustProxy, uploadSeconds, authFailureLimit })
  // Its hooks close everything that was opened for it.
  opened.defer(() => app.close())
  mountOperations(app, db, metrics, readiness)
  const doors = config.roles.filter((role) => role === 'api' || role === 'speech')
  if (doors.length === 0) {
    opened.move()
    return { app, upgrades, readiness }
  }

  const keyRing = await openKeyRing(db, (err) => log.warn({ err }, 'last use of keys not stored'))
  app.addHook('onClose', () => keyRing.close())
  const entrance = { db, keys: keyRing, rateLimit: rateLimit(config, db) }
  if (doors.includes('api'))
    await openVoiceDoors(
      app,
      infrastructure,
      archive,
      transcription,
      { ...entrance, upgrades },
      lines,
      metrics,
      knowledge,
    )
  if (transcription) {
    app.addHook('preClose', () => transcription.endings.close())
    if (doors.includes('speech')) openTranscriptionDoor(app, transcription, entrance)
  }
  opened.move()
  return { app, upgrades, readiness }
}

interface Entrance {
  db: Db
  readonly keys: KeyRing
  readonly rateLimit: RateLimit
}

async function openVoiceDoors(
  app: FastifyInstance,
  { config, db, vault, guard, log }: Infrastructure,
  archive: RecordingArchive,
  transcription: TranscriptionService | undefined,
  { upgrades, ...entrance }: Entrance & { upgrades: Upgrades },
  lines: Lines,
  metrics: Metrics,
  knowledge: Knowledge,
): Promise<void> {
  const idempotency = new Idempotency(answerStore(db, vault))
  // Users may name private hosts only if the operator trusts them, whatever webhooks may do.
  const trunkGuard = openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts })
  app.addHook('onClose', () => trunkGuard.close())
  const agentRules = agents(db, vault, agentChecks(db, config))
  const numbers = phoneNumbers({
    db,
    vault,
    agents: agentRules,
    guard: trunkGuard,
    checkTrunk: (trunk) => lines.checkTrunk(trunk),
  })
  const dictionary = pronunciations({ db, agents: agentRules })
  const accounts = credentials({ db, vault, guard: trunkGuard, vendors: credentialVendors(config) })
  const toolRules = tools({ db, vault, guard: trunkGuard, trials: toolTrials(trunkGuard) })
  const linesOf = outbound({
    db,
    vault,
    chooseCarrier: lines.choose,
    onRefused: metrics.countRefusedDestination,
  })
  const library = knowledgeBase({ db, ...knowledge })
  const { browserUrl, joinSeconds, turn } = config
  const lineParts = { db, browserUrl, joinSeconds, turn, outbound: linesOf }
  const calls = callOperations({
    ...lineParts,
    agents: agentRules,
    eventDelaySeconds: config.callEventDelaySeconds,
    linkTo: archive.recordings.link,
  })
  const live = await new LiveCalls(db).open()
  app.addHook('preClose', () => live.close())
  const lists = batches(db, agentRules, linesOf)
  const liveBatches = new LiveBatches(db)
  app.addHook('preClose', async () => liveBatches.close())
  const hooks = webhooks(db, vault, guard, agentRules)
  const deliveryLog = deliveries(
    db,
    hooks,
    sendThrough(guard, config.webhookTimeoutSeconds * 1000),
    calls.mustExist,
  )
  const shared = sharedCalls(db, vault, calls)

  const used = usage(db, config.workspaceConcurrency)
  const people = callers(db, vault)
  const samples = openVoiceSamples({ modelsFolder: config.modelsDir, engine: config.tts })
  app.addHook('onClose', () => samples.close())
  const sampleLinks = signedLinks({
    vault,
    purpose: 'voice sample address',
    urlSeconds: config.recordingUrlSeconds,
    publicUrl: () => archive.address ?? '',
  })
  const choice = voices(samples, sampleLinks)
  const minds = models(modelCatalogue(operatorModels(config)), (workspaceId) => storedNames(db, workspaceId))

  mountRecordings(app, archive.recordings)
  mountSharedCalls(app, shared)
  mountVoiceSamples(app, choice)
  mountPages(app, config.browserUrl)
  mountDocument(app, voiceFace.prefix, () => openApiDocument(voiceOperations, voiceFace))
  const answer = mcp({
    db,
    agents: agentRules,
    calls,
    watch: (sessionId, signal) => live.watch(sessionId, 0, signal),
  })
  mcpDoor(app, { ...entrance, answer })
  app.register(
    async (voice) => {
      const mount = voiceDoor(voice, { ...entrance, idempotency })
      mountAgents(mount, agentRules)
      mountVoices(mount, choice)
      mountModels(mount, minds)
      mountCalls(mount, calls, live, shared)
      mountBatches(mount, lists, liveBatches, resultLines(db))
      mountPhoneNumbers(mount, numbers)
      mountKnowledgeBase(mount, library)
      mountTools(mount, toolRules)
      mountPronunciations(mount, dictionary)
      mountCredentials(mount, accounts)
      mountWebhooks(mount, hooks, deliveryLog)
      mountUsage(mount, used, notices(db))
      mountCallers(mount, people)
    },
    { prefix: voiceFace.prefix },
  )
  const signedIn = sessions(db)
  const { admissions, close: closeAdmissions } = await openAdmissions(db)
  app.addHook('preClose', () => closeAdmissions())
  const ears = listenDoor(upgrades, {
    sessions: signedIn,
    admissions,
    log,
    mustExist: calls.mustExist,
    listen: openListening(db),
  })
  app.addHook('preClose', async () => ears.close())
  app.register(
    async (dashboardApp) => {
      const door = dashboardDoor(dashboardApp, {
        sessions: signedIn,
        db,
        tray: transcription?.tray,
        admissions,
      })
      mountPeople(door, {
        users: users(db),
        sessions: signedIn,
        invitations: invitations({
          db,
          validHours: config.invitationHours,
          publicUrl: config.publicUrl,
        }),
        workspaces: workspaces(db),
      })
      mountWorkspaces(door, workspaces(db), workspaceDeletions(db))
      mountKeys(door, keys(db), workspaces(db))
      mountAgents(door.inWorkspace, agentRules)
      mountVoices(door.inWorkspace, choice)
      mountModels(door.inWorkspace, minds)
      mountCalls(door.inWorkspace, calls, live, shared)
      mountDraftCalls(door.inWorkspace, agentRules, draftCalls(lineParts))
      mountBatches(door.inWorkspace, lists, liveBatches, resultLines(db))
      mountPhoneNumbers(door.inWorkspace, numbers)
      mountKnowledgeBase(door.inWorkspace, library)
      mountTools(door.inWorkspace, toolRules)
      mountPronunciations(door.inWorkspace, dictionary)
      mountCredentials(door.inWorkspace, accounts)
      mountWebhooks(door.inWorkspace, hooks, deliveryLog)
      mountUsage(door.inWorkspace, used, notices(db))
      mountCallers(door.inWorkspace, people)
      if (transcription) mountTranscripts(door.inWorkspace, transcription.desk)
    },
    { prefix: mountPaths.dashboard },
  )
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
