// Whisper: its tokens as text, and the real network on real speech.
import { expect, it } from 'vitest'
import { clipsAbsent, readClips } from '../../../test/props/engines/clips.ts'
import { modelsAtHand } from '../../../test/props/engines/models-at-hand.ts'
import { wordErrors } from '../../../test/props/engines/word-errors.ts'
import { describeUnless } from '../../../test/props/unless.ts'
import { whisperBase } from '../models/catalogue.ts'
import { Detokenizer } from './detokenizer.ts'
import { languageToken, promptFor } from './languages.ts'
import { openWhisper } from './whisper.ts'

it('tokens are bytes, and a character may span two of them', () => {
  // é is 0xC3 0xA9, written Ã and ©; the space is written Ġ.
  const detokenizer = new Detokenizer({ caf: 0, Ã: 1, '©': 2, Ġnoir: 3 })
  expect(detokenizer.text([0, 1, 2, 3])).toBe('café noir')
  expect([0, 1, 2, 3].map((token) => detokenizer.beginsWord(token, true))).toEqual([
    false,
    false,
    false,
    true,
  ])
  expect([0, 1, 2, 3].map((token) => detokenizer.beginsWord(token, false))).toEqual([true, true, false, true])
})

it('knows the tokens of its languages', () => {
  expect(languageToken('en')).toBe(50_259)
  expect(languageToken('su')).toBe(50_357)
  expect(() => promptFor('xx')).toThrow('whisper does not know the language xx')
})

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, whisperBase)
const skipped = absent ?? clipsAbsent

describeUnless(skipped, 'whisper base', () => {
  it('writes down what is said, when, and in which language', async () => {
    const whisper = openWhisper({ folder, size: 'base', threads: 1, niceness: 0 })
    const { signal } = new AbortController()
    const clip = readClips().find(({ name }) => name === 'lv_0870')
    const samples = clip?.samples ?? new Int16Array()
    const words = await whisper.recognise(samples, 'en', signal)
    const text = words.map((word) => word.text).join('')
    expect(wordErrors(clip?.said ?? '', text).errors).toBeLessThanOrEqual(2)
    const starts = words.map(({ fromMs }) => fromMs)
    expect(starts).toEqual(starts.toSorted((a, b) => a - b))
    expect(starts.at(-1)).toBeGreaterThan(5_000)
    const [likeliest] = await whisper.languages(samples, signal)
    expect(likeliest?.language).toBe('en')
    expect(likeliest?.probability).toBeGreaterThan(0.8)
    await whisper.close()
  })
})
