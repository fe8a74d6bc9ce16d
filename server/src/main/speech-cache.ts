// Kept speech of a process: where it is stored, and the job that makes it.
import { join } from 'node:path'
import { Counter } from 'prom-client'
import { clausesOf } from '../call/think/clauses.ts'
import type { Metrics } from '../http/metrics.ts'
import type { Config } from '../platform/config.ts'
import { openGuard } from '../platform/guard/guard.ts'
import type { Jobs } from '../platform/jobs/jobs.ts'
import { openFileStorage } from '../platform/storage/file-storage.ts'
import { openS3Storage } from '../platform/storage/s3-storage.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { TtsVendor } from '../ports/vendor.ts'
import { keyOpener } from '../resources/agents/agents.ts'
import { agentOf } from '../resources/calls/plan/agent-of-call.ts'
import { type OpenCredentials, readAccounts } from '../resources/calls/plan/read-accounts.ts'
import { readSynthesizer } from '../resources/calls/plan/read-speech.ts'
import { openCredentials } from '../resources/credentials/credentials.ts'
import {
  evictionSweep,
  openSpeechCache,
  type SpeechCache,
  type WarmUp,
  warmUpJob,
} from '../resources/speech-cache/speech-cache.ts'
import { keepSentences } from '../speech/cache/keep-speech.ts'
import { vendorAccounts } from '../speech/vendor-accounts.ts'
import { ttsVendors } from '../vendors/index.ts'
import type { Infrastructure } from './infrastructure.ts'

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
  const folder = folderIn(config.dataDir)
  const lookups = new Counter({
    name: 'parley_speech_cache_lookups_total',
    help: 'Sentences of agents that calls have looked for in kept speech, by whether they were there.',
    labelNames: ['result'],
    registers: [registry],
  })
  const storage = await openSpeechStorage(config)
  const cache = await openSpeechCache({
    db,
    log,
    storage,
    folder,
    mostBytes: config.speechCacheBytes,
    onLookup: (result) => lookups.inc({ result }),
  })
  return { cache, close: () => storage.close() }
}

/** Where kept speech is. */
export const openSpeechStorage = async ({ s3, dataDir }: Config): Promise<Storage> =>
  s3
    ? openS3Storage({ ...s3, prefix: `${s3.prefix}speech-cache/` }, 'application/octet-stream')
    : openFileStorage(folderIn(dataDir))

const folderIn = (dataDir: string): string => join(dataDir, 'speech-cache')

export interface WarmUpParts extends Pick<Infrastructure, 'vault'> {
  readonly config: Pick<Infrastructure['config'], 'vendorAccounts' | 'trustedHosts'>
}

/** The job that makes it. What it returns is closed after the jobs have stopped. */
export async function startWarmUps(
  { vault, config }: WarmUpParts,
  jobs: Pick<Jobs, 'start' | 'sweep'>,
  cache: SpeechCache,
  vendors: Readonly<Record<string, TtsVendor>> = ttsVendors,
): Promise<{ close(): Promise<void> }> {
  const guard = openGuard({ allowPrivate: false, trustedHosts: config.trustedHosts })
  const openSecrets = keyOpener(vault)
  const accountsOf = ({ workspaceId, credentials }: WarmUp) => {
    const open: OpenCredentials = (workspace, vendor, sealed) =>
      openCredentials(vault, workspace, vendor, sealed)
    const accounts = readAccounts(workspaceId, credentials, open)
    return vendorAccounts({ accounts }, { accounts: config.vendorAccounts, guard }, vendors)
  }
  await jobs.start(
    warmUpJob(async (warmUp, signal) => {
      const { workspaceId, agentId, agent, secrets, dictionary } = warmUp
      const read = agentOf({ agent_id: agentId, agent, secrets, agent_overrides: null }, openSecrets)
      const plan = read && readSynthesizer(read.agent, [], dictionary)
      const vendor = vendors[plan?.asked ?? '']
      const account = accountsOf(warmUp)[plan?.asked ?? '']
      if (!plan || !vendor || !account) return
      const kept = {
        known: (keys: readonly string[]) => cache.known({ workspaceId, keys }),
        put: (key: string, file: Buffer) => cache.put(workspaceId, key, file),
      }
      await keepSentences({ plan, vendor, account, cut: clausesOf, ...kept }, signal)
    }),
  )
  await jobs.sweep(evictionSweep(cache))
  return { close: () => guard.close() }
}
