// A recording is read while it is uploaded: it leaves this machine between the answer's head and its body.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { openVault } from '../../../platform/secrets.ts'
import { openFileStorage } from '../../../platform/storage/file-storage.ts'
import { recordingPath } from './recording-file.ts'
import { recordingName, recordings } from './recordings.ts'

it('a recording that is uploaded while it is asked for is read from storage', async () => {
  const root = await mkdtemp(join(tmpdir(), 'parley-recordings-'))
  const storage = await openFileStorage(join(root, 'store'))
  const here = recordingPath(root, 'one')
  await writeFile(here, 'a whole recording')
  const found = await recordings({
    vault: openVault('a secret for tests only'),
    storage,
    folder: root,
    publicUrl: () => '',
    urlSeconds: 60,
  }).find('one')
  const read = async () => String(await buffer(await found.read({ first: 2, last: 6 })))
  expect(await read()).toBe('whole')
  await storage.take(recordingName('one'), here)
  expect(await read()).toBe('whole')
  await rm(root, { recursive: true })
})
