// What a turn's times say: the first token of a model, and later its first words.
import { expect, it } from 'vitest'
import { Stopwatch } from './stopwatch.ts'

it('the first token is the first piece of an answer, the model’s share lasts until its first words', () => {
  const clock = { nowMs: 0 }
  const stopwatch = new Stopwatch(clock)
  const at = (nowMs: number, mark: Parameters<Stopwatch['mark']>[1]) => {
    clock.nowMs = nowMs
    stopwatch.mark(1, mark)
  }
  clock.nowMs = 500
  stopwatch.taken({ generation: 1, turn: 1, endMs: 100, wordsMs: 200 })
  at(510, 'asked')
  at(700, 'token')
  at(720, 'token')
  at(900, 'words')
  at(900, 'voiced')
  at(960, 'sound')
  clock.nowMs = 1_000
  expect(stopwatch.heard(1)).toMatchObject({
    llmMs: 390,
    times: { askedMs: 510, firstTokenMs: 700, voicedMs: 900, soundMs: 960, heardMs: 1_000 },
  })
})
