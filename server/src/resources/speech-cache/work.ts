// Kept speech of a process: where it is stored, and the job that makes it.
import { Counter } from 'prom-client'
import type { Metrics } from '../../http/metrics.ts'
import type { Infrastructure } from '../../platform/infrastructure.ts'
import { type Job, OwnerDied } from '../../platform/jobs/job.ts'
import type { Jobs } from '../../platform/jobs/jobs.ts'
import type { Vault } from '../../platform/secrets.ts'
import { openStorage, storageFolder } from '../../platform/storage/open-storage.ts'
import type { AccountPlan, SynthesizerPlan } from '../../ports/call-plan.ts'
import { keyOpener } from '../agents/agents.ts'
import { agentOf, type OpenCredentials, readAccounts, readSynthesizer } from '../calls/calls.ts'
import { openCredentials } from '../credentials/credentials.ts'
import { evictionSweep, openSpeechCache, type SpeechCache } from './speech-cache.ts'
import {
  type ClaimedWarmUp,
  type Dictionary,
  type SealedCredentials,
  settleWarmUps,
  type WarmUpEnd,
  warmUpsTable,
} from './store.ts'

/** The cache of a process; there is none if nothing is to be kept. */
export async function openProcessSpeechCache(
  { config, db, log }: Pick<Infrastructure, 'config' | 'db' | 'log'>,
  { registry }: Pick<Metrics, 'registry'>,
) {
  if (config.speechCacheBytes === 0) return undefined
  const folder = storageFolder(config, 'speech-cache')
  const lookups = new Counter({
    name: 'parley_speech_cache_lookups_total',
    help: 'Sentences of agents that calls have looked for in kept speech, by whether they were there.',
    labelNames: ['result'],
    registers: [registry],
  })
  const storage = await openStorage(config, 'speech-cache')
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

/** The sentences of one agent, to be spoken ahead. */
export interface SpeechToCache {
  readonly plan: SynthesizerPlan
  readonly accounts: Readonly<Record<string, AccountPlan>>
  /** Those of the keys that are kept already. */
  known(keys: readonly string[]): Promise<ReadonlySet<string>>
  put(key: string, file: Buffer): Promise<void>
}

/** The job that makes it: `speak` has the sentences spoken, and throws one sentence if it cannot. */
export async function startWarmUps(
  vault: Vault,
  jobs: Pick<Jobs, 'start' | 'sweep'>,
  cache: SpeechCache,
  speak: (speech: SpeechToCache, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  const openSecrets = keyOpener(vault)
  const open: OpenCredentials = (workspaceId, vendor, sealed) =>
    openCredentials(vault, workspaceId, vendor, sealed)
  await jobs.start(
    warmUpJob(async (warmUp, signal) => {
      const { workspaceId, agentId, agent, secrets, dictionary, credentials } = warmUp
      const read = agentOf({ agent_id: agentId, agent, secrets, agent_overrides: null }, openSecrets)
      const plan = read && readSynthesizer(read.agent, [], dictionary)
      if (!plan) return
      const speech = {
        plan,
        accounts: readAccounts(workspaceId, credentials, open),
        known: (keys: readonly string[]) => cache.known({ workspaceId, keys }),
        put: (key: string, file: Buffer) => cache.put(workspaceId, key, file),
      }
      await speak(speech, signal)
    }),
  )
  await jobs.sweep(evictionSweep(cache))
}

// Synthesizes the sentences of agents ahead, when an agent was written or a call has missed one of them.

interface WarmUp {
  readonly agentId: string
  readonly workspaceId: string
  /** As stored; secrets sealed. */
  readonly agent: string
  readonly secrets: Buffer | null
  readonly dictionary: Dictionary
  readonly credentials: SealedCredentials
}

const mostTries = 4
// The pause after a vendor was unreachable or refused further requests.
const retryMs = 5_000

// Vendors allow a handful of requests at a time; calls must not miss them.
const caps = { process: 2, lane: 1 }

/** `warm` throws one sentence. */
const warmUpJob = (
  warm: (warmUp: WarmUp, signal: AbortSignal) => Promise<void>,
): Job<ClaimedWarmUp, WarmUpEnd> => ({
  name: 'speech warm-ups',
  table: warmUpsTable,
  caps,
  retry: {
    mostTries,
    delayMs: (tries) => retryMs * 4 ** (tries - 1),
    giveUp: (error) => ({ revision: null, error: reasonOf(error) }),
  },
  // Sentences that were made are kept; the next process goes on with the rest.
  drainMs: 0,
  settle: settleWarmUps,
  outcomeOf: ({ error }) => (error === null ? 'done' : 'failed'),

  async run(row, { signal }) {
    const { job_id: agentId, workspace_id: workspaceId, agent, secrets, revision } = row
    const known = { dictionary: row.pronunciations ?? [], credentials: row.credentials ?? [] }
    if (agent !== null) await warm({ agentId, workspaceId, agent, secrets, ...known }, signal)
    return { revision, error: null }
  },
})

const reasonOf = (error: unknown): string => {
  if (error instanceof OwnerDied) return 'The process that worked on it died every time.'
  return error instanceof Error ? error.message : String(error)
}
