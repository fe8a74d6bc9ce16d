import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { removeAbandonedParts } from './file-storage.ts'

it('files that nobody has written to for long are removed, if they were never completed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'parley-parts-'))
  const longAgo = new Date(Date.now() - 2 * 60 * 60_000)
  for (const name of ['old.part', 'old.gz', 'new.part']) await writeFile(join(folder, name), '')
  for (const name of ['old.part', 'old.gz']) await utimes(join(folder, name), longAgo, longAgo)
  await removeAbandonedParts(folder)
  expect((await readdir(folder)).toSorted()).toEqual(['new.part', 'old.gz'])
  await rm(folder, { recursive: true })
  await removeAbandonedParts(folder)
})
