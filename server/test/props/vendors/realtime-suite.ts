// What every mind that hears and speaks itself must do, in whole calls over a real socket in the vendor's own wire form.
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, describe, expect, it } from 'vitest'
import type { RealtimeMind } from '../../../src/ports/realtime-mind.ts'
import { rehearse } from '../call/rehearsal.ts'
import { ScriptedTools } from '../call/scripted-model.ts'

/** The model's answer to one turn. */
export interface RealtimeAnswer {
  readonly words?: string
  readonly tool?: { readonly name: string; readonly arguments: string }
  /** Whether the answer goes on until it is stopped. */
  readonly isEndless?: boolean
}

/** A vendor's server, and a mind that is connected to it. */
export interface RealtimeStage {
  readonly mind: RealtimeMind
  readonly label: string
  /** The counts in its usage. */
  readonly used: { readonly provider: string; readonly model: string }
  readonly answers: { push(...answers: RealtimeAnswer[]): unknown }
  /** The caller's next words; what the mind does not transcribe itself comes from `final`. */
  says(words: string): void
  /** How often a turn of the caller was asked to be put into words. */
  turnsAsked(): number
  final?(words: string): void
  /** Whether it was told to stop. */
  wasCancelled(): boolean
  /** The words of its answer that it was told were heard. */
  wasToldOf(words: string): boolean
  /** What it was given as the result of a tool. */
  toolResults(): readonly string[]
  /** The instructions it has. */
  instructions(): string
  breakOff(): void
  close(): Promise<void>
}

async function sceneWith(
  stage: RealtimeStage,
  answers: readonly RealtimeAnswer[],
  { welcome = '', tools = new ScriptedTools() } = {},
) {
  stage.answers.push(...answers)
  const { transcriber, model, synthesizer } = stage.mind
  const call = rehearse({
    agent: { agent_welcome_message: welcome, agent_prompt: 'You are Ada.' },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0 },
    tools,
    parts: { transcriber, model, synthesizer },
  })
  const until = async (condition: () => boolean, mostTicks = 20_000) => {
    for (let n = 0; n < mostTicks && !condition(); n++) {
      await call.tick()
      await wait(1)
    }
    if (!condition()) throw new Error(`it did not happen: ${condition}`)
  }
  const says = async (words: string) => {
    stage.says(words)
    const before = stage.turnsAsked()
    call.detector.tell('speech-start')
    for (let n = 0; n < 30; n++) await call.tick()
    call.detector.tell('speech-end')
    await until(() => stage.turnsAsked() > before)
    stage.final?.(words)
  }
  await call.answer()
  return { call, stage, until, says }
}

export function realtimeSuite(name: string, open: () => Promise<RealtimeStage>): void {
  const cleanups: (() => unknown)[] = []
  afterEach(async () => {
    for (const clean of cleanups.splice(0).reverse()) await clean()
  })
  const callWith = async (...[answers, scene]: Tail<Parameters<typeof sceneWith>>) => {
    const stage = await open()
    cleanups.push(
      () => stage.close(),
      () => stage.mind.close(),
    )
    return sceneWith(stage, answers, scene)
  }

  describe(`${name}, as a mind that hears and speaks itself`, () => {
    it('hears and answers a caller; the call keeps its transcript, usage and greeting', async () => {
      const { call, stage, until, says } = await callWith([{ words: 'We open at nine. Anything else?' }], {
        welcome: 'Hello there.',
      })
      await until(() => call.spoken().length === 1)
      await says('When do you open?')
      await until(() => call.spoken().length === 3)
      expect(call.spoken()).toEqual([
        'agent: Hello there.',
        'user: When do you open?',
        'agent: We open at nine. Anything else?',
      ])
      // The sound of the answer, which nobody else made.
      expect(call.line.sent).toContain(2_000)
      expect(stage.instructions()).toContain('You are Ada.')
      expect(stage.wasToldOf('Hello there.')).toBe(true)
      call.session.stop('api')
      await until(() => call.isOver)
      expect(call.outcome.usage.models).toMatchObject([
        { ...stage.used, inputTokens: 120, outputTokens: 30, cachedTokens: 20 },
      ])
    })

    it('is told to stop when it is interrupted, and how much of it was heard', async () => {
      const long =
        'One two three four. Five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.'
      const { call, stage, until, says } = await callWith([
        { words: long, isEndless: true },
        { words: 'Sorry.' },
      ])
      await says('Please count.')
      await until(() => call.line.sent.filter((level) => level === 2_000).length > 20)
      await says('Stop, stop.')
      await until(() => stage.wasCancelled())
      await until(() => call.spoken().at(-1) === 'agent: Sorry.')
      const [, cut = ''] = call.spoken()
      expect(cut).toMatch(/^agent: One/)
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
      expect(tools.ran).toMatchObject([{ name: 'weather', arguments: '{"day":"today"}' }])
      expect(stage.toolResults()).toEqual(['It is sunny.'])
    })

    it('tells in a sentence that its connection broke', async () => {
      const { call, stage, until, says } = await callWith([{ words: 'Wait. ', isEndless: true }])
      await says('Hello?')
      await until(() => call.line.sent.includes(2_000))
      stage.breakOff()
      await until(() => call.notes().some((note) => note.includes(stage.label)))
    })
  })
}

type Tail<List extends readonly unknown[]> = List extends readonly [unknown, ...infer Rest] ? Rest : never
