// Calls in other languages on a machine that has no weights for them yet.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { languageWeights } from './language-weights.ts'

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-models-'))
  // A registry that nobody answers at.
  vi.stubEnv('npm_config_registry', 'http://127.0.0.1:9/')
  vi.stubEnv('npm_config_fetch_retries', '0')
})
afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

it('the first call is told that they are being fetched, and a later one why they could not be', async () => {
  const weights = languageWeights({ folder }, 'base')
  await weights.ready
  expect(weights.trouble('transcriber', 'es')).toBe(
    'The offline recognizer for Spanish is being fetched, 53 MB: call again when it is here, or run make models beforehand.',
  )
  await expect
    .poll(() => weights.trouble('transcriber', 'es'), { interval: 100 })
    .toMatch(
      /^The offline recognizer for Spanish is not here: .*could not be fetched.*\. Run make models where there is a network\.$/,
    )
  await weights.close()
})

it('Japanese needs a dictionary besides the voice', async () => {
  const weights = languageWeights({ folder }, 'base')
  await weights.ready
  const megabytes = (language: string) =>
    Number(/(\d+) MB/.exec(weights.trouble('synthesizer', language) ?? '')?.[1])
  expect(megabytes('ja') - megabytes('es')).toBeGreaterThan(20)
  expect(weights.trouble('synthesizer', 'auto')).toContain('for any language is being fetched')
  await weights.close()
})
