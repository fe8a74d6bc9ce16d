// Chooses the engines that transcribe and translate recordings: the offline ones, or servers named by the operator.
import { embeddedTranscription } from '../engines/transcription/embedded-engine.ts'
import { openTrustedConnections } from '../mind/model/choose-model.ts'
import { operatorModels, vendorOf } from '../mind/model/choose-server.ts'
import { modelTranslator } from '../mind/translator.ts'
import type { Config } from '../platform/config.ts'
import { accountFor } from '../ports/account-address.ts'
import type { TranscriptionEngine, Translator } from '../ports/transcription.ts'
import type { EngineAccess } from '../resources/transcripts/work.ts'
import { recordingsHost } from '../vendors/azure/account.ts'
import { recordingVendors } from '../vendors/index.ts'
import { transcriptionOverHttp } from '../vendors/over/recordings/over-http.ts'
import type { TranscriptionServer } from '../vendors/over/recordings/vendor.ts'
import { failover } from '../vendors/over/thinks/failover.ts'
import { streamedModel } from '../vendors/over/thinks/streamed-model.ts'

export function openTranscriptionEngine(config: Config, parts?: EngineAccess): TranscriptionEngine {
  const { stt, modelsDir, whisper, engineIdleMs: idleMs } = config
  if (stt && parts) return withWorkspaceKey(stt, parts)
  if (stt) return transcriptionOverHttp(recordingVendors[stt.protocol](stt), stt)
  const { transcribeThreads: threads, transcribeNiceness: niceness } = config
  return embeddedTranscription({ models: { folder: modelsDir }, threads, niceness, idleMs, whisper })
}

type ServerSettings = Exclude<NonNullable<Config['stt']>, ''>

/** The vendor that the operator chose, with the workspace's own key where it has one. */
function withWorkspaceKey(stt: ServerSettings, parts: EngineAccess): TranscriptionEngine {
  const open = recordingVendors[stt.protocol]
  const installed = transcriptionOverHttp(open(stt), stt)
  return {
    ...installed,
    async transcribe(job, signal) {
      const { workspaceId } = job
      const own = workspaceId === undefined ? undefined : await serverOf(workspaceId, stt, parts)
      if (!own) return installed.transcribe(job, signal)
      return transcriptionOverHttp(open(own), own, undefined, parts.guard.dispatcher).transcribe(job, signal)
    },
  }
}

/** Undefined: it has no key for the vendor, or the operator's server is not the vendor's own. */
async function serverOf(
  workspaceId: string,
  { protocol, baseUrl, model }: ServerSettings,
  { accountsOf, guard }: EngineAccess,
): Promise<TranscriptionServer | undefined> {
  // Azure has an address for each region, everyone else one of its own.
  const isVendors = baseUrl === undefined || protocol === 'azure'
  const stored = isVendors ? (await accountsOf(workspaceId))[protocol] : undefined
  const account = stored && accountFor(stored, 'recordings')
  const { apiKey, region } = account?.credentials ?? {}
  if (!account || !apiKey) return undefined
  const regional = protocol === 'azure' && region ? `https://${recordingsHost({ region })}` : undefined
  const address = account.baseUrl ?? regional
  if (protocol === 'azure' && !address) return undefined
  if (account.baseUrl !== undefined && !guard.check(account.baseUrl).ok) return undefined
  return { baseUrl: address, model, apiKey }
}

// No caller is waiting: a small machine may take a while for a page of subtitles.
const unhurried = { firstTokenMs: 120_000, silenceMs: 30_000 }

/** Undefined if the operator has configured no language model. */
export function openTranslator(config: Config): (Translator & { close(): Promise<void> }) | undefined {
  const { server } = operatorModels(config)
  if (!server || server.models.length === 0) return undefined
  const dispatcher = openTrustedConnections()
  const models = server.models.map((model) =>
    streamedModel(
      { ...server, vendor: vendorOf(server.provider), dispatcher },
      { model, timeouts: unhurried },
    ),
  )
  return { ...modelTranslator(failover(models)), close: () => dispatcher.destroy() }
}
