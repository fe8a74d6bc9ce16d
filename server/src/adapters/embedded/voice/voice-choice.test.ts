// Which voice is chosen, and how often it is measured.
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { chooseVoice, type VoiceWish } from './voice-choice.ts'

let folder: string
let measured: number

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'parley-voice-'))
  measured = 0
})
afterEach(() => rm(folder, { recursive: true }))

const choose = (factor: number, { wish = 'auto' as VoiceWish, threads = 1, present = true } = {}) =>
  chooseVoice({
    wish,
    folder,
    threads,
    isPresent: async () => present,
    measure: async () => {
      measured++
      return factor
    },
  })

it.each([
  [0.39, 'kokoro'],
  [0.4, 'flite'],
  [2, 'flite'],
] as const)('a real-time factor of %d chooses %s', async (factor, engine) => {
  expect(await choose(factor)).toMatchObject({ engine, realTimeFactor: factor })
})

it('measures once, and again with another number of threads', async () => {
  await choose(0.2)
  expect(await choose(9)).toMatchObject({ engine: 'kokoro', realTimeFactor: 0.2 })
  expect(measured).toBe(1)
  expect((await choose(9, { threads: 2 })).engine).toBe('flite')
  expect(measured).toBe(2)
  expect(await readdir(folder)).toEqual(['voice-speed.json'])
})

it('measures again if the stored measurement cannot be read', async () => {
  await writeFile(join(folder, 'voice-speed.json'), '{"machine":')
  expect((await choose(0.2)).engine).toBe('kokoro')
  expect(measured).toBe(1)
})

it.each(['kokoro', 'flite'] as const)('%s is used without a measurement if configured', async (wish) => {
  expect((await choose(0.2, { wish, present: false })).engine).toBe(wish)
  expect(measured).toBe(0)
})

it('does not download the natural voice by itself', async () => {
  expect(await choose(0.2, { present: false })).toMatchObject({
    engine: 'flite',
    why: 'the natural voice is not fetched; make models brings it',
  })
})

it('a failed measurement is not stored', async () => {
  const failing = chooseVoice({
    wish: 'auto',
    folder,
    threads: 1,
    isPresent: async () => true,
    measure: () => Promise.reject(new Error('the speech synthesizer is closed')),
  })
  await expect(failing).rejects.toThrow('the speech synthesizer is closed')
  expect(await readdir(folder)).toEqual([])
})
