// What every mind that hears and speaks itself must do, in whole calls over a real socket in the vendor's own wire form.
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ScriptedTools } from '../call/scripted-model.ts'
import { openModelServer } from '../servers/model-server.ts'
import { type RealtimeScene, realtimeCall } from './realtime-call.ts'
import { wordsOf } from './spoken-words.ts'
import type { VendorServer } from './vendor-server.ts'

/** The model's answer to one turn. */
export interface RealtimeAnswer {
  readonly words?: string
  readonly tool?: { readonly name: string; readonly arguments: string }
  /** Whether the answer goes on until it is stopped. */
  readonly isEndless?: boolean
  /** Whether all words are sent before their sound. */
  readonly isAhead?: boolean
  /** Nothing of it is ever sent. */
  readonly isSilent?: boolean
  /** The vendor gives up after these words. */
  readonly fails?: boolean
  /** The connection is closed after so many pieces of words and sound. */
  readonly cutAfter?: number
}

/** A vendor's server, and the settings of an agent that is connected to it. */
export interface RealtimeStage {
  readonly server: VendorServer & { readonly state: { isDeaf: boolean } }
  readonly llmConfig: RealtimeScene['llmConfig']
  readonly label: string
  /** The counts in its usage. */
  readonly used: { readonly provider: string; readonly model: string }
  readonly answers: { push(...answers: RealtimeAnswer[]): unknown }
  /** The caller's next words, which it will have heard. */
  says(words: string): void
  /** How often it was asked to put a turn of the caller into words. */
  turnsAsked(): number
  /** How often it was asked for an answer. */
  answersAsked(): number
  /** Whether it was told to stop. */
  wasCancelled(): boolean
  /** The words of its answer that it was told were heard. */
  wasToldOf(words: string): boolean
  /** What it was given as the result of a tool. */
  toolResults(): readonly string[]
  /** The instructions it has. */
  instructions(): string
  /** What it was told of the conversation in its newest session, in words. */
  history(): string
}

const answered = [
  'We open at nine.',
  'We close around six.',
  'Parking costs nothing.',
  'Bring your passport.',
]

export function realtimeSuite(name: string, open: () => Promise<RealtimeStage>): void {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    vi.useRealTimers()
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })

  const callWith = async (
    answers: readonly RealtimeAnswer[],
    { llmConfig = {}, ...scene }: Partial<RealtimeScene> = {},
  ) => {
    const stage = await open()
    stage.answers.push(...answers)
    const talk = realtimeCall({ ...scene, llmConfig: { ...stage.llmConfig, ...llmConfig } })
    cleanups.push(
      () => stage.server.close(),
      () => talk.close(),
    )
    const { call, transcriber, until } = talk
    const beside = () => transcriber.streams.at(-1)
    const asked = () => stage.turnsAsked() + (beside()?.asked ?? 0)
    const says = async (words: string) => {
      stage.says(words)
      beside()?.push({ type: 'partial', text: words })
      call.detector.tell('speech-start')
      for (let n = 0; n < 30; n++) await call.tick()
      const before = asked()
      call.detector.tell('speech-end')
      await until(() => asked() > before)
      beside()?.push({ type: 'final', text: words })
    }
    const spoken = (count: number) => until(() => call.spoken().length >= count)
    await call.answer()
    return { ...talk, stage, says, spoken }
  }

  /** A model in text that takes over. */
  const openText = async (words: string) => {
    const server = await openModelServer({ words: words.split(/(?<=\s)/) })
    cleanups.push(() => server.close())
    return { fallback: { provider: 'custom', model: 'olive', base_url: server.baseUrl, api_key: 'k' } }
  }

  describe(`${name}, as a mind that hears and speaks itself`, () => {
    it('hears and answers a caller; the call keeps its transcript, usage and greeting', async () => {
      const { call, stage, heard, until, spoken, says } = await callWith(
        [{ words: 'We open at nine. Anything else?' }],
        { welcome: 'Hello there.' },
      )
      await spoken(1)
      await says('When do you open?')
      await spoken(3)
      expect(call.spoken()).toEqual([
        'agent: Hello there.',
        'user: When do you open?',
        'agent: We open at nine. Anything else?',
      ])
      expect(heard()).toEqual(wordsOf('Hello there. We open at nine. Anything else?'))
      expect(stage.instructions()).toContain('You are Ada.')
      expect(stage.wasToldOf('Hello there.')).toBe(true)
      call.session.stop('api')
      await until(() => call.isOver)
      expect(call.outcome.usage.models).toMatchObject([
        { ...stage.used, inputTokens: 120, outputTokens: 30, cachedTokens: 20 },
      ])
    })

    it('says every sentence of twenty long answers once, and is asked for each once', async () => {
      const replies = Array.from({ length: 20 }, (_, n) =>
        answered.map((_, at) => answered[(n + at) % answered.length]).join(' '),
      )
      const { stage, heard, spoken, says } = await callWith(
        replies.map((words, n) => ({ words, isAhead: n % 2 === 1 })),
      )
      for (const [n] of replies.entries()) {
        await says('And then?')
        await spoken(2 * n + 2)
      }
      expect(heard()).toEqual(replies.flatMap(wordsOf))
      expect(stage.answersAsked()).toBe(20)
    })

    it('is told to stop when it is interrupted, and how much of it was heard', async () => {
      const long =
        'One two three four. Five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.'
      const { call, stage, heard, until, says } = await callWith([
        { words: long, isEndless: true },
        { words: 'Sorry.' },
      ])
      await says('Please count.')
      await until(() => heard().includes('four.'))
      await says('Stop, stop.')
      await until(() => stage.wasCancelled())
      await until(() => call.spoken().at(-1) === 'agent: Sorry.')
      const cut = call.spoken().find((entry) => entry.startsWith('agent: One')) ?? ''
      expect(cut).not.toBe('')
      expect(cut).not.toContain('sixteen')
      expect(stage.wasToldOf(cut.replace('agent: ', ''))).toBe(true)
    })

    it('has tools run as in any call, and goes on with its answer', async () => {
      const tools = new ScriptedTools('weather')
      const { call, stage, until, says } = await callWith(
        [{ tool: { name: 'weather', arguments: '{"day":"today"}' } }, { words: 'It is sunny.' }],
        { tools },
      )
      await says('How is the weather?')
      await until(() => call.spoken().at(-1) === 'agent: It is sunny.')
      expect(tools.ran.map(({ name: tool, arguments: given }) => [tool, JSON.parse(given)])).toEqual([
        ['weather', { day: 'today' }],
      ])
      expect(stage.toolResults()).toEqual(['It is sunny.'])
    })

    it('whose connection is cut between two turns goes on with what was said so far', async () => {
      const { call, stage, heard, until, spoken, says, notes } = await callWith([
        { words: 'We open at nine.' },
        { words: 'Until six.' },
      ])
      await says('When do you open?')
      await spoken(2)
      for (const socket of stage.server.connections) socket.terminate()
      await until(() => notes().some((note) => note.includes(stage.label)))
      await says('Until when?')
      await spoken(4)
      expect(call.spoken().slice(2)).toEqual(['user: Until when?', 'agent: Until six.'])
      expect(heard()).toEqual(wordsOf('We open at nine. Until six.'))
    })

    it.each([
      ['after its sound', false, 18],
      ['before the sound of its last words', true, 19],
    ])(
      'whose connection is cut in an answer, %s, loses no word and says none twice',
      async (_, isAhead, cutAfter) => {
        const { stage, heard, until, says, call } = await callWith(
          [
            { words: 'Plain words show the pace.' },
            { words: 'Surely we will open early today. Please come along.', isAhead, cutAfter },
            { words: 'Breakfast waits for everybody.' },
          ],
          { welcome: 'Hello there.' },
        )
        await until(() => call.spoken().length === 1)
        await says('Who is this?')
        await until(() => call.spoken().length === 3)
        await says('When do you open?')
        await until(() => call.spoken().length === 5)
        const said = call.spoken().at(-1)?.replace('agent: ', '') ?? ''
        expect(said).toMatch(/^Surely we will .* Breakfast waits for everybody\.$/)
        expect(heard().slice(7)).toEqual(wordsOf(said))
        if (isAhead) expect(said).toContain('Please come along.')
        expect(stage.history()).toContain('Plain words show the pace.')
      },
    )

    it('that gives up before its first word is asked again', async () => {
      const { call, heard, spoken, says } = await callWith([{ fails: true }, { words: 'At nine.' }])
      await says('When do you open?')
      await spoken(2)
      expect(call.spoken()).toEqual(['user: When do you open?', 'agent: At nine.'])
      expect(heard()).toEqual(['At', 'nine.'])
    })

    it('that gives up in the middle of an answer goes on where it stopped', async () => {
      const { call, heard, spoken, says } = await callWith([
        { words: 'Surely we open early today.', fails: true },
        { words: 'Breakfast waits for everybody.' },
      ])
      await says('When do you open?')
      await spoken(2)
      const answer = 'Surely we open early today. Breakfast waits for everybody.'
      expect(call.spoken().at(-1)).toBe(`agent: ${answer}`)
      expect(heard()).toEqual(wordsOf(answer))
    })

    it('that stops in the middle of an answer goes on where it stopped', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { call, heard, spoken, until, says } = await callWith([
        { words: 'Surely we open early. Please come. ', isEndless: true },
        { words: 'Breakfast waits for everybody.' },
      ])
      await says('When do you open?')
      await until(() => heard().includes('come.'))
      vi.advanceTimersByTime(4_000)
      await spoken(2)
      const answer = 'Surely we open early. Please come. Breakfast waits for everybody.'
      expect(call.spoken().at(-1)).toBe(`agent: ${answer}`)
      expect(heard()).toEqual(wordsOf(answer))
    })

    it('whose server falls silent altogether is relieved', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const llmConfig = await openText('Come at nine.')
      const { call, stage, heard, spoken, transcriber, step, says, notes } = await callWith(
        [{ words: 'We open early.' }],
        { llmConfig },
      )
      await says('Do you open?')
      await spoken(2)
      stage.server.state.isDeaf = true
      await says('When do you open?')
      let isUnheard = stage.turnsAsked() > 0
      for (let seconds = 0; seconds < 40 && !call.spoken().at(-1)?.includes('nine'); seconds++) {
        for (let n = 0; n < 10; n++) await step()
        vi.advanceTimersByTime(1_000)
        // Another recognizer is given what the vendor has heard.
        if (isUnheard && transcriber.streams.at(-1)?.asked === 1) {
          isUnheard = false
          transcriber.now.push({ type: 'final', text: 'When do you open?' })
        }
      }
      expect(call.spoken().slice(2)).toEqual([
        'user: When do you open?',
        expect.stringContaining('Come at nine.'),
      ])
      expect(heard().slice(-3)).toEqual(['Come', 'at', 'nine.'])
      expect(notes().some((note) => note.includes('is given up'))).toBe(true)
    })

    it('that answers nothing at all is asked again', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { stage, heard, until, spoken, says } = await callWith([
        { isSilent: true },
        { words: 'At nine.' },
      ])
      await says('When do you open?')
      await until(() => stage.answersAsked() === 1)
      vi.advanceTimersByTime(4_000)
      await spoken(2)
      expect(heard()).toEqual(['At', 'nine.'])
    })

    it('that breaks off twice in one turn is relieved, and the call says by whom', async () => {
      const llmConfig = await openText('We open at nine. Anything else?')
      const { call, heard, spoken, says, notes } = await callWith([{ fails: true }, { fails: true }], {
        llmConfig,
      })
      await says('When do you open?')
      await spoken(2)
      expect(call.spoken().at(-1)).toBe('agent: We open at nine. Anything else?')
      expect(heard()).toEqual(wordsOf('We open at nine. Anything else?'))
      await says('And on Sunday?')
      await spoken(4)
      expect(notes().filter((note) => note.includes('is given up'))).toEqual([
        expect.stringMatching(/From now on olive at .* answers in text/),
      ])
    })

    it('that cannot be connected to any more is relieved of hearing and speaking as well', async () => {
      const llmConfig = await openText('Come at nine.')
      const { call, stage, heard, until, spoken, says, voice, notes } = await callWith(
        [{ words: 'Surely. We open early.' }],
        { llmConfig },
      )
      await says('Do you open?')
      await spoken(2)
      stage.server.fault = { is: 'refuse', status: 503 }
      for (const socket of stage.server.connections) socket.terminate()
      await until(() => notes().some((note) => note.includes(stage.label)))
      for (let n = 0; n < 100; n++) await call.tick()
      await says('When do you open?')
      await spoken(4)
      expect(call.spoken().slice(2)).toEqual(['user: When do you open?', 'agent: Come at nine.'])
      expect(heard()).toEqual(wordsOf('Surely. We open early. Come at nine.'))
      expect(voice.texts).toEqual(['Come at nine.'])
      expect(notes().some((note) => note.includes('is given up'))).toBe(true)
    })

    it('that was never there is relieved before the greeting', async () => {
      const llmConfig = await openText('Come at nine.')
      const { call, heard, spoken, says } = await callWith([], {
        llmConfig: { ...llmConfig, api_key: 'wrong' },
        welcome: 'Hello there.',
      })
      await spoken(1)
      await says('When do you open?')
      await spoken(3)
      expect(call.spoken().at(-1)).toBe('agent: Come at nine.')
      expect(heard()).toEqual(wordsOf('Hello there. Come at nine.'))
    })
  })
}
