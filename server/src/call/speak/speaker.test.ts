// A saying and its speaker over every kind of stream: with clause ends, with word times, with neither.
import { describe, expect, it } from 'vitest'
import { settle as settleOnce } from '../../../test/props/call/rehearsal.ts'
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { SynthesisEvent, SynthesisStream, Synthesizer } from '../../ports/synthesizer.ts'
import { EventQueue } from '../../vendors/over/wire/event-queue.ts'
import { heardByTimes, Saying } from './saying.ts'
import { Speaker } from './speaker.ts'

/** A hundred frames take a few hundred steps. */
const settle = async () => {
  for (let n = 0; n < 20; n++) await settleOnce()
}

class ScriptedStream implements SynthesisStream {
  readonly told: string[] = []
  readonly events = new EventQueue<SynthesisEvent>()

  write(clause: string): void {
    this.told.push(clause)
  }

  flush(): void {
    this.told.push('flush')
  }

  finish(): void {
    this.told.push('finish')
  }

  cancel(): void {
    this.told.push('cancel')
  }

  [Symbol.asyncIterator](): AsyncIterator<SynthesisEvent> {
    return this.events[Symbol.asyncIterator]()
  }

  sound(frames: number): void {
    for (let n = 0; n < frames; n++) this.events.push({ type: 'frame', frame: makeFrame(8_000) as Frame })
  }
}

function speaking(clauseEnds = true, isLoading = () => false) {
  const streams: ScriptedStream[] = []
  const failures: string[] = []
  const clock = { nowMs: 0 }
  const synthesizer: Synthesizer = {
    abilities: { clauseEnds, wordTimes: false, languages: 'any', isLoading },
    open() {
      const stream = new ScriptedStream()
      streams.push(stream)
      return stream
    },
  }
  const saying = new Saying(1, 'reply', clauseEnds)
  const voice = { synthesizer, voice: 'v', language: undefined, model: undefined, rateHz: 8_000 } as const
  const speaker = new Speaker(saying, voice, clock, {
    onSound() {},
    onCharacters() {},
    onCached() {},
    onFailure: (error) => failures.push(error),
  })
  const play = (frames: number) => {
    let played = 0
    for (let n = 0; n < frames; n++) if (saying.take()) played++
    return played
  }
  const wait = async (ms: number) => {
    clock.nowMs += ms
    speaker.tick()
    await settle()
  }
  return { streams, failures, saying, speaker, play, wait }
}

describe('a voice that marks clause ends', () => {
  it('receives each clause as it is generated, over one stream', async () => {
    const { streams, saying, speaker, play } = speaking()
    speaker.add('One two.')
    speaker.add('Three.')
    speaker.close()
    expect(streams.map(({ told }) => told)).toEqual([['One two.', 'flush', 'Three.', 'flush', 'finish']])
    streams[0]?.sound(20)
    streams[0]?.events.push({ type: 'clause-end' })
    streams[0]?.sound(10)
    streams[0]?.events.push({ type: 'clause-end' })
    streams[0]?.events.end()
    await settle()
    expect(play(21)).toBe(21)
    expect(saying.begunText).toBe('One two. Three.')
    expect(saying.heard()).toBe('One two.')
    play(9)
    expect([saying.isDrained, saying.heard()]).toEqual([true, 'One two. Three.'])
  })

  it('that fails is sent the missing clauses again, and nothing is played twice', async () => {
    const { streams, failures, saying, speaker, play } = speaking()
    speaker.add('One.')
    speaker.add('Two.')
    streams[0]?.sound(10)
    streams[0]?.events.push({ type: 'clause-end' })
    streams[0]?.sound(4)
    await settle()
    streams[0]?.events.fail(new Error('Cut.'))
    await settle()
    expect(streams[1]?.told).toEqual(['Two.', 'flush'])
    streams[1]?.sound(10)
    streams[1]?.events.push({ type: 'clause-end' })
    await settle()
    expect(play(100)).toBe(20)
    expect(saying.pieces.map(({ frames }) => frames)).toEqual([10, 10])
    expect(failures).toEqual([])
  })

  it('that fails three times at one clause has failed; at two clauses it has not', async () => {
    const { streams, failures, speaker } = speaking()
    speaker.add('One.')
    streams[0]?.events.fail(new Error('Cut.'))
    await settle()
    streams[1]?.sound(5)
    streams[1]?.events.push({ type: 'clause-end' })
    await settle()
    speaker.add('Two.')
    streams[1]?.events.fail(new Error('Cut again.'))
    await settle()
    expect(failures).toEqual([])
    streams[2]?.events.fail(new Error('And again.'))
    await settle()
    expect(failures).toEqual([])
    streams[3]?.events.fail(new Error('For good.'))
    await settle()
    expect(failures).toEqual(['For good.'])
  })

  it('has five seconds for the next audio, and owes none between clauses', async () => {
    const { streams, failures, speaker, wait } = speaking()
    speaker.add('One.')
    streams[0]?.sound(5)
    streams[0]?.events.push({ type: 'clause-end' })
    await settle()
    await wait(60_000)
    expect(streams).toHaveLength(1)
    speaker.add('Two.')
    await wait(4_900)
    expect(streams).toHaveLength(1)
    await wait(200)
    expect(streams).toHaveLength(2)
    expect(streams[0]?.told.at(-1)).toBe('cancel')
    await wait(5_000)
    expect(failures).toEqual([])
    await wait(5_000)
    expect(failures).toEqual(['The voice did not come in time.'])
  })

  it('has a minute while its engine is loaded, and five seconds from then on', async () => {
    let isLoading = true
    const { streams, speaker, wait } = speaking(true, () => isLoading)
    speaker.add('One.')
    await wait(59_000)
    expect(streams).toHaveLength(1)
    await wait(1_000)
    expect(streams).toHaveLength(2)
    isLoading = false
    await wait(5_000)
    expect(streams).toHaveLength(3)
    expect(streams[1]?.told.at(-1)).toBe('cancel')
  })

  it('whose idle connection closes is reopened for the next clause', async () => {
    const { streams, failures, speaker } = speaking()
    speaker.add('One.')
    streams[0]?.sound(5)
    streams[0]?.events.push({ type: 'clause-end' })
    streams[0]?.events.end()
    await settle()
    speaker.add('Two.')
    expect([streams[1]?.told, failures]).toEqual([['Two.', 'flush'], []])
  })

  it('that produces no audio is tried three times', async () => {
    const { streams, failures, speaker } = speaking()
    speaker.add('One.')
    speaker.close()
    for (let attempt = 0; attempt < 3; attempt++) {
      streams[attempt]?.events.end()
      await settle()
    }
    expect(failures).toEqual(['The voice made no sound.'])
  })

  it('that ends before the last clause is sent what is missing', async () => {
    const { streams, failures, saying, speaker } = speaking()
    speaker.add('One.')
    speaker.add('Two.')
    speaker.close()
    streams[0]?.sound(3)
    streams[0]?.events.end()
    await settle()
    expect(streams[1]?.told).toEqual(['Two.', 'flush', 'finish'])
    streams[1]?.sound(3)
    streams[1]?.events.end()
    await settle()
    expect([saying.unmade, failures]).toEqual([undefined, []])
  })
})

describe('a voice that does not mark clause ends', () => {
  it('is tracked by the length of its audio, over all the text', async () => {
    const { streams, saying, speaker, play } = speaking(false)
    speaker.add('aaaa bbbb')
    speaker.add('cccc dddd')
    speaker.close()
    streams[0]?.sound(80)
    streams[0]?.events.end()
    await settle()
    play(60)
    expect(saying.begunText).toBe('aaaa bbbb cccc dddd')
    expect(saying.heard()).toBe('aaaa bbbb cccc')
    play(20)
    expect([saying.isDrained, saying.heard()]).toEqual([true, 'aaaa bbbb cccc dddd'])
  })

  it('may pause as long as the model does, and owes its end once the text is complete', async () => {
    const { streams, failures, speaker, wait } = speaking(false)
    speaker.add('One.')
    streams[0]?.sound(5)
    await settle()
    await wait(60_000)
    expect(streams).toHaveLength(1)
    speaker.close()
    await wait(5_100)
    expect(streams).toHaveLength(2)
    await wait(5_100)
    await wait(5_100)
    expect(failures).toEqual(['The voice did not come in time.'])
  })

  it('is tracked by word times where it gives them, also after a retry', async () => {
    const { streams, saying, speaker, play } = speaking(false)
    const words = ['slow', 'then', 'quick'].map((text, n) => ({
      text,
      startMs: n * 400,
      endMs: n * 400 + 400,
    }))
    speaker.add('Slow, then quick.')
    streams[0]?.events.push({ type: 'words', words })
    streams[0]?.sound(30)
    await settle()
    streams[0]?.events.fail(new Error('Cut.'))
    await settle()
    streams[1]?.events.push({ type: 'words', words })
    streams[1]?.sound(50)
    await settle()
    play(45)
    expect(saying.heard()).toBe('Slow, then')
  })
})

describe('words by their times', () => {
  const words = ['it', 'costs', 'five', 'dollars', 'today'].map((text, n) => ({
    text,
    startMs: n * 200,
    endMs: n * 200 + 200,
  }))
  it.each([
    ['half a word is enough', 300, 'It costs'],
    ['less is not', 280, 'It'],
    ['a word that is spoken differently is skipped', 1_000, 'It costs $5 today.'],
    ['nothing was heard', 0, ''],
  ])('%s', (_, playedMs, heard) => expect(heardByTimes('It costs $5 today.', words, playedMs)).toBe(heard))
  it('that do not reach as far as the audio are ignored', () =>
    expect(heardByTimes('It costs $5 today.', words, 2_000)).toBeUndefined())
})
