// The weights that are part of the repository.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, it } from 'vitest'
import { readWeights } from './wren-model.ts'

const notice = new URL('../../../assets/wren/', import.meta.url)

it('are refused with one byte changed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wren-'))
  const whole = await readWeights('voice.json')
  await writeFile(join(folder, 'voice.json'), whole.with(1_000, (whole[1_000] ?? 0) ^ 1))
  await expect(readWeights('voice.json', pathToFileURL(`${folder}/`))).rejects.toThrow('is damaged')
  await rm(folder, { recursive: true })
})

it('have a notice of origin with their checksums, and the licence', async () => {
  const text = await readFile(new URL('README.md', notice), 'utf8')
  for (const file of ['front.onnx', 'wave.onnx', 'voice.json'])
    expect(text).toMatch(new RegExp(`${file}.*[0-9a-f]{64}`))
  expect(text).toContain('Apache License 2.0')
  expect(await readFile(new URL('LICENSE', notice), 'utf8')).toContain('Apache License')
})
