// Downloads a URL to a part file, resuming an earlier attempt. Part files of a stopped process are continued by the
// next one, one process at a time.
import { createWriteStream } from 'node:fs'
import { readdir, rename, stat, truncate, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import type { ReadableStream } from 'node:stream/web'
import { setTimeout as sleep } from 'node:timers/promises'

export class RefusedError extends Error {}

export interface DownloadOptions {
  readonly signal?: AbortSignal | undefined
  readonly onBytes?: ((doneBytes: number) => void) | undefined
}

// Enough for an unreliable connection; every attempt resumes the one before.
const pausesMs = [0, 500, 2000, 5000] as const

export async function downloadResumably(
  address: URL,
  to: string,
  options: DownloadOptions = {},
): Promise<void> {
  let cause: unknown
  for (const pauseMs of pausesMs) {
    await sleep(pauseMs, undefined, options.signal ? { signal: options.signal } : {})
    try {
      return await attempt(address, to, options)
    } catch (error) {
      options.signal?.throwIfAborted()
      if (error instanceof RefusedError) throw error
      cause = error
    }
  }
  throw cause
}

async function attempt(address: URL, to: string, { signal, onBytes }: DownloadOptions): Promise<void> {
  const haveBytes = (await stat(to).catch(() => undefined))?.size ?? 0
  const answer = await fetch(address, {
    headers: haveBytes > 0 ? { range: `bytes=${haveBytes}-` } : {},
    ...(signal && { signal }),
  })
  // With 416 the file is already complete.
  if (answer.status === 416) return void (await answer.body?.cancel())
  if (!answer.ok || !answer.body) {
    await answer.body?.cancel()
    if (answer.status < 500) throw new RefusedError(`the registry answered ${answer.status}`)
    throw new Error(`the registry answered ${answer.status}`)
  }
  const goesOn = answer.status === 206
  if (!goesOn && haveBytes > 0) await truncate(to, 0)
  let doneBytes = goesOn ? haveBytes : 0
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      doneBytes += chunk.length
      onBytes?.(doneBytes)
      yield chunk
    }
  }
  await pipeline(
    Readable.fromWeb(answer.body as ReadableStream),
    counted,
    createWriteStream(to, { flags: 'a' }),
    ...(signal ? [{ signal }] : []),
  )
}

// An active download writes many times a second; a part file that was silent for this long has lost its process.
const abandonedMs = 60_000

/** The path of a part file owned by this process: an abandoned one if there is any, otherwise a new name. */
export async function claimPartFile(target: string): Promise<string> {
  const ours = `${target}.${crypto.randomUUID()}.part`
  for (const found of await partFiles(target)) {
    // Of two processes that see the same file, only one succeeds in renaming it.
    if ((await isAbandoned(found)) && (await renamed(found, ours))) return ours
  }
  return ours
}

/** Releases an unfinished download, so that the next process need not wait. */
export async function releasePartFile(path: string): Promise<void> {
  await utimes(path, 0, 0).catch(() => {})
}

async function partFiles(target: string): Promise<string[]> {
  const names = await readdir(dirname(target))
  return names
    .filter((name) => name.startsWith(`${basename(target)}.`) && name.endsWith('.part'))
    .map((name) => join(dirname(target), name))
}

async function isAbandoned(path: string): Promise<boolean> {
  const found = await stat(path).catch(() => undefined)
  return found !== undefined && Date.now() - found.mtimeMs > abandonedMs
}

const renamed = (from: string, to: string) =>
  rename(from, to).then(
    () => true,
    () => false,
  )
