// The voices of an installation: listed over the API and the client library, heard at their signed addresses, and
// spoken by the command line.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Parley } from '@parley/sdk'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { parseWav } from '../../src/media/wav-parse.ts'
import { loudnessLufs } from '../props/engines/loudness.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'

const { folder: models, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)
const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))

describeUnless(absent, 'the voices', () => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    service = await openService({ PARLEY_MODELS_DIR: models })
    folder = await mkdtemp(join(tmpdir(), 'parley-say-'))
  })
  afterAll(async () => {
    await service.close()
    await rm(folder, { recursive: true })
  })

  const list = async () => (await service.ask('GET', '/voices')).body.data
  const sampleOf = async (name: string): Promise<string> =>
    (await list()).find((voice: { name: string }) => voice.name === name).sample.url

  it('are listed with what one needs to choose', async () => {
    const listed = await list()
    expect(listed.slice(0, 4)).toMatchObject([
      { name: 'heart', language: 'en', gender: 'female', engine: 'wren', is_default: true },
      { name: 'bella', language: 'en', gender: 'female', engine: 'wren', is_default: false },
      { name: 'michael', language: 'en', gender: 'male', engine: 'wren', is_default: false },
      { name: 'fenrir', language: 'en', gender: 'male', engine: 'wren', is_default: false },
    ])
    const byLibrary = await new Parley({ baseUrl: `${service.url}/agent/v1`, apiKey: boundKey }).voices.list()
    expect(byLibrary.map(({ name }) => name)).toEqual(listed.map(({ name }: { name: string }) => name))
  })

  it('are heard without a key, and sound the same when asked again', async () => {
    const url = await sampleOf('bella')
    const [first, again] = [await fetch(url), await fetch(await sampleOf('bella'))]
    expect(first.status).toBe(200)
    expect(first.headers.get('content-type')).toBe('audio/wav')
    const bytes = new Uint8Array(await first.arrayBuffer())
    const { channels, rateHz } = parseWav(bytes)
    expect(rateHz).toBe(24_000)
    expect(Math.abs(loudnessLufs(channels[0] ?? new Int16Array(), 24_000) + 23)).toBeLessThan(2)
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes)
    expect((await fetch(url, { method: 'HEAD' })).headers.get('content-length')).toBe(String(bytes.length))
  })

  it.each([
    ['a changed signature', (url: string) => url.replace(/signature=.{4}/, 'signature=AAAA')],
    ['a later expiry', (url: string) => url.replace(/expires=\d+/, 'expires=99999999999')],
    ['no signature', (url: string) => url.replace(/\?.*/, '')],
    ['another voice', (url: string) => url.replace('heart', 'bella')],
    ['a strange name', (url: string) => url.replace('heart', '%2e%2e%2fheart')],
  ])('an address with %s is refused', async (_, change) => {
    const answer = await fetch(change(await sampleOf('heart')))
    expect(answer.status).toBe(403)
    expect(await answer.json()).toMatchObject({ code: 'VOICE_SAMPLE_LINK_INVALID' })
  })

  const parley = (...args: string[]) =>
    new Promise<{ code: number; err: string }>((resolve) => {
      const env = { PATH: folder, PARLEY_MODELS_DIR: models }
      execFile(process.execPath, [command, ...args], { env }, (error, _, err) => {
        resolve({ code: error ? Number(error.code) : 0, err })
      })
    })

  it('speak into a file by the command line', async () => {
    const file = join(folder, 'said.wav')
    expect(await parley('say', 'Good morning.', '--voice', 'Michael', '--out', file)).toEqual({
      code: 0,
      err: '',
    })
    expect(parseWav(await readFile(file)).channels[0]?.length).toBeGreaterThan(10_000)
  })

  it('that there are are named when another is asked for', async () => {
    const { code, err } = await parley('say', 'Hello.', '--voice', 'nobody')
    expect(code).toBe(1)
    expect(err).toContain('There is no voice called nobody; there are: heart, bella, michael, fenrir')
  })

  it('are written to a file where nothing can play sound', async () => {
    const { code, err } = await parley('say', 'Hello.', '--voice', 'male')
    expect(code).toBe(1)
    expect(err).toContain('--out writes a file instead')
  })
})
