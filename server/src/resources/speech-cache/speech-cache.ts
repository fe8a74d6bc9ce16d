// Kept speech: files in storage, listed in the database, so that all processes of an installation share them.
//
// A row comes first and is confirmed when its file is complete: a process that dies leaves a row that is never played
// from and is evicted in its turn, with whatever there is of its file.
import { randomUUID } from 'node:crypto'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { Db } from '../../platform/db/db.ts'
import type { Sweep } from '../../platform/jobs/job.ts'
import type { Log } from '../../platform/log.ts'
import { removeAbandonedParts } from '../../platform/storage/file-storage.ts'
import type { Storage } from '../../platform/storage/storage.ts'
import type { CallSpeechCache, SpeechLookup } from '../../ports/speech-cache.ts'
import {
  askForWarmUp,
  confirmSpeech,
  evictSpeech,
  findSpeech,
  forgetSpeech,
  reserveSpeech,
  speechBytes,
  touchSpeech,
} from './store.ts'

export interface SpeechCacheParts {
  readonly db: Db
  readonly log: Log
  readonly storage: Storage
  /** Where files are written before they move into storage. */
  readonly folder: string
  readonly mostBytes: number
  readonly onLookup?: (result: 'hit' | 'miss') => void
}

export interface SpeechCache extends CallSpeechCache {
  /** Those of the keys that are kept. */
  known(lookup: SpeechLookup): Promise<ReadonlySet<string>>
  put(workspaceId: string, key: string, file: Uint8Array): Promise<void>
  /** Makes room; true: there is more to do. */
  evict(): Promise<boolean>
}

// Speech that recent calls have played is not read again: a greeting is the same for every call of an agent.
const recentBytes = 32 * 1024 ** 2
const evictAtATime = 200

/** The name of its file in storage. */
export const speechName = (workspaceId: string, key: string): string => `${workspaceId}-${key}`

export async function openSpeechCache(parts: SpeechCacheParts): Promise<SpeechCache> {
  const { db, log, storage, folder, mostBytes, onLookup } = parts
  const recent = new RecentFiles(recentBytes)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  await removeAbandonedParts(folder)

  const read = async (workspaceId: string, key: string, bytes: number): Promise<Uint8Array | undefined> => {
    const name = speechName(workspaceId, key)
    const known = recent.get(name)
    if (known) return known
    const file = await storage
      .read(name, { first: 0, last: bytes - 1 })
      .then(buffer)
      .catch(() => undefined)
    if (file?.length === bytes) recent.add(name, file)
    // The file is not there, whatever the database says; it will be made again.
    else await forgetSpeech(db, workspaceId, [key])
    return file?.length === bytes ? file : undefined
  }

  return {
    async find({ workspaceId, keys }) {
      const files = new Map<string, Uint8Array>()
      try {
        const rows = await findSpeech(db, workspaceId, keys)
        await Promise.all(
          rows.map(async ({ key, bytes }) => {
            const file = await read(workspaceId, key, bytes)
            if (file) files.set(key, file)
          }),
        )
        const stale = rows.filter(({ is_stale }) => is_stale).map(({ key }) => key)
        if (stale.length > 0) await touchSpeech(db, workspaceId, stale)
      } catch (err) {
        log.warn({ err }, 'kept speech cannot be read')
      }
      for (const key of keys) onLookup?.(files.has(key) ? 'hit' : 'miss')
      return files
    },
    warm: (agentId) =>
      void askForWarmUp(db, agentId).catch((err) => log.warn({ err }, 'a warm-up was not asked for')),
    known: async ({ workspaceId, keys }) =>
      new Set((await findSpeech(db, workspaceId, keys)).map(({ key }) => key)),
    async put(workspaceId, key, file) {
      // Another process may be storing the same: both files are alike.
      if (file.length > mostBytes || !(await reserveSpeech(db, workspaceId, key, file.length))) return
      const part = join(folder, `${randomUUID()}.part`)
      try {
        await writeFile(part, file, { mode: 0o600, flush: true })
        await storage.take(speechName(workspaceId, key), part)
      } finally {
        await rm(part, { force: true })
      }
      if (!(await confirmSpeech(db, workspaceId, key))) await storage.remove(speechName(workspaceId, key))
    },
    async evict() {
      const tooMany = Math.max(0, (await speechBytes(db)) - mostBytes)
      const gone = await evictSpeech(db, tooMany, evictAtATime)
      for (const { workspace_id, key } of gone) {
        recent.remove(speechName(workspace_id, key))
        await storage.remove(speechName(workspace_id, key))
      }
      return gone.length === evictAtATime
    },
  }
}

// Bounded soon enough: a warm-up adds a few megabytes.
const sweepMs = 60_000

export const evictionSweep = (cache: SpeechCache): Sweep => ({
  name: 'kept speech',
  everyMs: sweepMs,
  afterErrorMs: sweepMs,
  run: async () => ((await cache.evict()) ? 0 : sweepMs),
})

class RecentFiles {
  readonly #mostBytes: number
  /** In the order of their use. */
  readonly #files = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get(name: string): Uint8Array | undefined {
    const file = this.#files.get(name)
    if (file) {
      this.#files.delete(name)
      this.#files.set(name, file)
    }
    return file
  }

  add(name: string, file: Uint8Array): void {
    this.remove(name)
    this.#files.set(name, file)
    this.#bytes += file.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#mostBytes) return
      this.remove(oldest)
    }
  }

  remove(name: string): void {
    this.#bytes -= this.#files.get(name)?.length ?? 0
    this.#files.delete(name)
  }
}
