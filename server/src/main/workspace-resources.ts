// The resources of workspaces: opened once, and mounted at every door that people and programs enter a workspace by.
import type { FastifyInstance } from 'fastify'
import { openVoiceSamples } from '../engines/voice/voice-samples.ts'
import { signedLinks } from '../http/doors/signed-links.ts'
import type { Mount } from '../http/doors/voice-door.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Readiness } from '../http/readiness.ts'
import { modelCatalogue, operatorModels } from '../mind/model/choose-server.ts'
import { toolTrials } from '../mind/tools/try-tool.ts'
import { openUserGuard } from '../platform/guard/guard.ts'
import type { Infrastructure } from '../platform/infrastructure.ts'
import type { ChooseCarrier } from '../ports/choose-carrier.ts'
import type { CheckTrunk } from '../ports/trunk.ts'
import { agents as openAgents } from '../resources/agents/agents.ts'
import { mountAgents } from '../resources/agents/routes.ts'
import { LiveBatches, batches as openBatches, resultLines } from '../resources/batches/batches.ts'
import { mountBatches } from '../resources/batches/routes.ts'
import { callers as openCallers } from '../resources/callers/callers.ts'
import { mountCallers } from '../resources/callers/routes.ts'
import { callOperations, draftCalls, LiveCalls, sharedCalls } from '../resources/calls/calls.ts'
import { mountCalls } from '../resources/calls/routes.ts'
import type { RecordingArchive } from '../resources/calls/work.ts'
import { credentials as openCredentials, storedNames } from '../resources/credentials/credentials.ts'
import { mountCredentials } from '../resources/credentials/routes.ts'
import { knowledgeBase as openKnowledgeBase } from '../resources/knowledge-base/knowledge-base.ts'
import { mountKnowledgeBase } from '../resources/knowledge-base/routes.ts'
import type { Knowledge } from '../resources/knowledge-base/work.ts'
import { models as openModels } from '../resources/models/models.ts'
import { mountModels } from '../resources/models/routes.ts'
import { phoneNumbers as openPhoneNumbers, outbound } from '../resources/phone-numbers/phone-numbers.ts'
import { mountPhoneNumbers } from '../resources/phone-numbers/routes.ts'
import { pronunciations as openPronunciations } from '../resources/pronunciations/pronunciations.ts'
import { mountPronunciations } from '../resources/pronunciations/routes.ts'
import { mountTools } from '../resources/tools/routes.ts'
import { tools as openTools } from '../resources/tools/tools.ts'
import { mountUsage } from '../resources/usage/routes.ts'
import { notices, usage as openUsage } from '../resources/usage/usage.ts'
import { mountVoices } from '../resources/voices/routes.ts'
import { voices as openVoices } from '../resources/voices/voices.ts'
import { mountWebhooks } from '../resources/webhooks/routes.ts'
import {
  deliveries as openDeliveries,
  webhooks as openWebhooks,
  sendThrough,
} from '../resources/webhooks/webhooks.ts'
import { credentialVendors } from '../vendors/credential-vendors.ts'
import { agentChecks } from './agent-checks.ts'

/** What the interfaces need to know about telephone lines. */
export interface Lines {
  readonly choose: ChooseCarrier
  /** It changes when this process gets the SIP line itself. */
  readonly checkTrunk: CheckTrunk
}

/** What of a process its resources stand on. */
export interface ResourceParts {
  readonly infrastructure: Infrastructure
  readonly metrics: Metrics
  readonly archive: RecordingArchive
  readonly lines: Lines
  readonly knowledge: Knowledge
}

export type WorkspaceResources = Awaited<ReturnType<typeof openWorkspaceResources>>

/** Closed with the app. */
export async function openWorkspaceResources(
  app: FastifyInstance,
  { infrastructure, metrics, archive, lines, knowledge }: ResourceParts,
  readiness: Readiness,
) {
  const { config, db, vault, guard } = infrastructure
  const userGuard = openUserGuard(config)
  app.addHook('onClose', () => userGuard.close())
  const agents = openAgents(db, vault, agentChecks(db, config))
  const { choose: chooseCarrier } = lines
  const onRefused = metrics.countRefusedDestination
  const { browserUrl, joinSeconds, turn } = config
  const lineParts = {
    db,
    browserUrl,
    joinSeconds,
    turn,
    isOverloaded: () => readiness.of('media')?.status === 'overloaded',
    outbound: outbound({ db, vault, chooseCarrier, onRefused }),
  }
  const calls = callOperations({
    ...lineParts,
    agents,
    eventDelaySeconds: config.callEventDelaySeconds,
    linkTo: archive.recordings.link,
  })
  const liveCalls = await new LiveCalls(db).open()
  app.addHook('preClose', () => liveCalls.close())
  const liveBatches = new LiveBatches(db)
  app.addHook('preClose', async () => liveBatches.close())
  const samples = openVoiceSamples({ modelsFolder: config.modelsDir, engine: config.tts })
  app.addHook('onClose', () => samples.close())
  const sampleLinks = signedLinks({
    vault,
    purpose: 'voice sample address',
    urlSeconds: config.recordingUrlSeconds,
    publicUrl: () => archive.address ?? '',
  })
  const webhooks = openWebhooks(db, vault, guard, agents)
  const send = sendThrough(guard, config.webhookTimeoutSeconds * 1000)

  return {
    agents,
    voices: openVoices(samples, sampleLinks),
    models: openModels(modelCatalogue(operatorModels(config)), (workspaceId) => storedNames(db, workspaceId)),
    calls,
    liveCalls,
    sharedCalls: sharedCalls(db, vault, calls),
    draftCalls: draftCalls(lineParts),
    batches: openBatches(db, agents, lineParts.outbound),
    liveBatches,
    batchResults: resultLines(db),
    phoneNumbers: openPhoneNumbers({
      db,
      vault,
      agents,
      guard: userGuard,
      checkTrunk: (trunk) => lines.checkTrunk(trunk),
    }),
    knowledgeBase: openKnowledgeBase({ db, ...knowledge }),
    tools: openTools({ db, vault, guard: userGuard, trials: toolTrials(userGuard) }),
    pronunciations: openPronunciations({ db, agents }),
    credentials: openCredentials({ db, vault, guard: userGuard, vendors: credentialVendors(config) }),
    webhooks,
    deliveries: openDeliveries(db, webhooks, send, calls.mustExist),
    usage: openUsage(db, config.workspaceConcurrency),
    notices: notices(db),
    callers: openCallers(db, vault),
  }
}

/** The same at the voice interface and in a workspace of the dashboard. */
export function mountInWorkspace(mount: Mount, resources: WorkspaceResources): void {
  mountAgents(mount, resources.agents)
  mountVoices(mount, resources.voices)
  mountModels(mount, resources.models)
  mountCalls(mount, resources.calls, resources.liveCalls, resources.sharedCalls)
  mountBatches(mount, resources.batches, resources.liveBatches, resources.batchResults)
  mountPhoneNumbers(mount, resources.phoneNumbers)
  mountKnowledgeBase(mount, resources.knowledgeBase)
  mountTools(mount, resources.tools)
  mountPronunciations(mount, resources.pronunciations)
  mountCredentials(mount, resources.credentials)
  mountWebhooks(mount, resources.webhooks, resources.deliveries)
  mountUsage(mount, resources.usage, resources.notices)
  mountCallers(mount, resources.callers)
}
