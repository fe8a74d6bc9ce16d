// Partial downloads are resumed by the next process, one at a time.
import { readdir, rename, stat, utimes } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'

// An active download writes many times a second; one that was silent for this long has lost its process.
const abandonedMs = 60_000

/** The path of a part file owned by this process: an abandoned one if there is any, otherwise a new name. */
export async function claimPartFile(target: string): Promise<string> {
  const ours = `${target}.${crypto.randomUUID()}.part`
  for (const found of await partFiles(target)) {
    // Of two processes that see the same file only one succeeds in renaming it.
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
