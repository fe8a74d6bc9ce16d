// Files that were never completed, because the process that wrote them died.
import { readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

// One that is still being written changes more often than that.
const abandonedMs = 60 * 60_000

/** In a folder that several processes may share. */
export async function removeAbandonedParts(folder: string): Promise<void> {
  for (const name of await readdir(folder).catch(() => [])) {
    if (!name.endsWith('.part')) continue
    const path = join(folder, name)
    const found = await stat(path).catch(() => undefined)
    if (found && Date.now() - found.mtimeMs > abandonedMs) await rm(path, { force: true })
  }
}
