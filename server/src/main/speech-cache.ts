// Kept speech of a process: where it is stored, and the job that makes it.
import { join } from 'node:path'
import { Counter } from 'prom-client'
import { speakToKeep } from '../adapters/speech-cache/keep-speech.ts'
import { speechKey } from '../adapters/speech-cache/speech-key.ts'
import { spokenWords, vendorReading } from '../adapters/spoken-words.ts'
import { ttsVendors } from '../adapters/tts/index.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { TtsVendor, VendorAccount } from '../ports/vendor.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { agentOf } from '../resources/calls/agent-of-call.ts'
import { readSynthesizer } from '../resources/calls/plan/read-speech.ts'
import {
  evictionSweep,
  openSpeechCache,
  type SpeechCache,
  type WarmUp,
  warmUpJob,
} from '../resources/speech-cache/speech-cache.ts'
import type { Infrastructure } from './infrastructure.ts'
import { clausesOf, voiceOptions } from './kept-sentences.ts'

/** Undefined: nothing is to be kept. */
export interface ProcessSpeechCache {
  readonly cache: SpeechCache
  close(): void
}

export async function openProcessSpeechCache(
  { config, db, log }: Infrastructure,
  { registry }: Pick<Metrics, 'registry'>,
): Promise<ProcessSpeechCache | undefined> {
  if (config.speechCacheBytes === 0) return undefined
  const folder = join(config.dataDir, 'speech-cache')
  const lookups = new Counter({
    name: 'parley_speech_cache_lookups_total',
    help: 'Sentences of agents that calls have looked for in kept speech, by whether they were there.',
    labelNames: ['result'],
    registers: [registry],
  })
  const storage = config.s3
    ? openS3Storage({ ...config.s3, prefix: `${config.s3.prefix}speech-cache/` }, 'application/octet-stream')
    : await openFileStorage(folder)
  const cache = await openSpeechCache({
    ...{ db, log, storage, folder, mostBytes: config.speechCacheBytes },
    onLookup: (result) => lookups.inc({ result }),
  })
  return { cache, close: () => storage.close() }
}

export interface WarmUpParts {
  readonly vendors: Readonly<Record<string, TtsVendor>>
  /** Undefined: the workspace has none. */
  readonly accountOf: (workspaceId: string, vendor: string) => Promise<VendorAccount | undefined>
}

const noAccounts: WarmUpParts = { vendors: ttsVendors, accountOf: async () => undefined }

export async function startWarmUps(
  { vault }: Pick<Infrastructure, 'vault'>,
  jobs: Pick<Jobs, 'start' | 'sweep'>,
  cache: SpeechCache,
  { vendors, accountOf }: WarmUpParts = noAccounts,
): Promise<void> {
  const openSecrets = keyOpener(vault)
  const warm = async (warmUp: WarmUp, signal: AbortSignal) => {
    const { agentId, workspaceId, agent, secrets, dictionary } = warmUp
    const stored = { agent_id: agentId, agent, secrets, agent_overrides: null }
    const read = agentOf(stored, openSecrets)
    if (!read) return
    const plan = readSynthesizer(read.agent, [], dictionary)
    const clauses = clausesOf(plan.keptSentences)
    const vendor = plan.asked === null ? undefined : vendors[plan.asked]
    if (plan.asked === null || !vendor?.open || clauses.length === 0) return
    const account = await accountOf(workspaceId, plan.asked)
    if (!account) return
    const options = voiceOptions(plan)
    const source = { vendor: plan.asked, baseUrl: account.baseUrl, options }
    const byKey = new Map(clauses.map((clause) => [speechKey(source, clause), clause]))
    const known = await cache.known({ workspaceId, keys: [...byKey.keys()] })
    const engine = spokenWords(vendor.open(account), vendorReading(vendor))
    try {
      // The greeting first, one after the other: calls want the vendor too.
      for (const [key, clause] of byKey)
        if (!known.has(key))
          await cache.put(workspaceId, key, await speakToKeep(engine, clause, options, signal))
    } finally {
      engine.close?.()
    }
  }
  await jobs.start(warmUpJob(warm))
  await jobs.sweep(evictionSweep(cache))
}
