// Which voices there are without any download.
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { listVoices, sampleText } from './voice-samples.ts'

const empty = join(tmpdir(), 'no-models-here')

it('those of wren are always there', async () => {
  const names = (await listVoices(empty, 'wren')).map(({ name }) => name)
  expect(names).toEqual(['heart', 'bella', 'michael', 'fenrir'])
})

it('those of a chosen engine are listed before they are fetched', async () => {
  const names = (await listVoices(empty, 'kokoro')).map(({ name }) => name)
  expect(names).toContain('am_michael')
  expect(names).not.toContain('ef_dora')
})

it.each([
  ['am_michael', 'en', /this is michael/],
  ['ef_dora', 'es', /^Hola, soy dora/],
  ['zf_xiaobei', 'zh', /^您好/],
])('%s introduces itself in %s', (name, language, words) => {
  expect(sampleText({ name, language, gender: 'female', engine: 'kokoro' })).toMatch(words)
})
