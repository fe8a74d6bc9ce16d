// Storage in a local folder, or one shared by several machines.
import { createReadStream } from 'node:fs'
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Storage } from './storage.ts'

export async function openFileStorage(folder: string): Promise<Storage> {
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const place = (name: string) => join(folder, name)
  return {
    async take(name, file) {
      if (file !== place(name)) await rename(file, place(name))
    },
    async stat(name) {
      const stats = await stat(place(name)).catch(orAbsent)
      return (
        stats && {
          bytes: stats.size,
          etag: `"${stats.size.toString(36)}-${Math.trunc(stats.mtimeMs).toString(36)}"`,
          modifiedAt: stats.mtime,
        }
      )
    },
    read: async (name, { first, last }) => createReadStream(place(name), { start: first, end: last }),
    remove: (name) => rm(place(name), { force: true }),
    close() {},
  }
}

function orAbsent(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error
}

// A file that is still being written changes more often than that.
const abandonedMs = 60 * 60_000

/**
 * Removes files that were never completed because the process that wrote them died, in a folder that several
 * processes may share.
 */
export async function removeAbandonedParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.part')) continue
    const path = join(folder, name)
    const stats = await stat(path).catch(() => undefined)
    if (stats && Date.now() - stats.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
