// A text as frames: sentence by sentence, with pauses between them, until somebody interrupts.
import { expect, it } from 'vitest'
import { type Frame, makeFrame } from '../../media/frame.ts'
import { speak } from './speak.ts'

const rateHz = 8_000
const framesPerSentence = 5

const voiced = (): Frame => {
  const frame = makeFrame(rateHz)
  frame.samples.fill(1_000)
  return frame
}

/** Sentences as they are given to an engine, and the frames of the text: `true` for speech, `false` for a pause. */
async function spoken(text: string, { abortAfter = Infinity }: { abortAfter?: number } = {}) {
  const given: string[] = []
  const heard: boolean[] = []
  const caller = new AbortController()
  const frames = speak(text, {
    rateHz,
    signal: caller.signal,
    longestChars: 200,
    async *make(sentence) {
      given.push(sentence)
      yield Array.from({ length: framesPerSentence }, voiced)
    },
  })
  for await (const { samples } of frames) {
    heard.push(samples[0] !== 0)
    if (heard.length === abortAfter) caller.abort()
  }
  return { given, heard }
}

it('sentences are further apart than the clauses of a long one', async () => {
  const pausesMs = async (text: string) =>
    20 * (await spoken(text)).heard.filter((isVoice) => !isVoice).length
  expect(await pausesMs('Good morning. Good evening.')).toBe(240)
  expect(await pausesMs(`${'on and on and on, '.repeat(18)}it goes.`)).toBe(200)
})

it.each([3, framesPerSentence + 1, framesPerSentence + 7])(
  'an interruption at frame %i is followed by no other frame, in a pause neither',
  async (abortAfter) => {
    expect((await spoken('Good morning. Good evening.', { abortAfter })).heard.length).toBe(abortAfter)
  },
)

it('what was cut while the model was thinking stays up in all its parts', async () => {
  const { given } = await spoken('and then we will look at it '.repeat(8).trim())
  expect(given.length).toBe(2)
  expect(given.map((part) => part.at(-1))).toEqual([',', ','])
})

it('the end of a text falls, with or without a mark', async () => {
  const { given } = await spoken(`${'It is a long story. '.repeat(12)}Thank you`)
  expect(given.at(-1)).toBe('Thank you.')
})
