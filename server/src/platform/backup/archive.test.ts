// Where the file of a back-up cannot be: the operator is told in a sentence, before the database is read.
import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Refusal } from '../refusal.ts'
import { readArchive, writeArchive } from './archive.ts'

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-archive-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

const never = () => Promise.reject(new Error('It was filled.'))

it('a folder that does not exist is named, with what to do', () => {
  const path = join(folder, 'no', 'x.tar.gz')
  const sentence = `There is no folder ${join(folder, 'no')}. Make it first, or name another.`
  return expect(writeArchive(path, never)).rejects.toThrow(new Refusal(sentence))
})

it('a folder is not written over', async () => {
  await expect(writeArchive(folder, never)).rejects.toThrow(
    new Refusal(`${folder} is a folder. Name a file in it, such as parley.tar.gz.`),
  )
})

it('a disk that becomes full is told as such, and nothing is left', async () => {
  const path = join(folder, 'x.tar.gz')
  await symlink('/dev/full', `${path}.part`)
  const filled = writeArchive(path, async ({ add }) => {
    for (let piece = 0; piece < 1_000; piece++) await add(`tables/a/${piece}`, Buffer.alloc(64 * 1024))
  })
  await expect(filled).rejects.toThrow(
    new Refusal(`The disk with the folder ${folder} is full. Make room, or name another.`),
  )
  expect(await readdir(folder)).toEqual([])
})

it('a file that does not exist cannot be read', async () => {
  const path = join(folder, 'nothere.tar.gz')
  await expect(readArchive(path).next()).rejects.toThrow(new Refusal(`${path} does not exist.`))
})
