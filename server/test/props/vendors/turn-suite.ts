// What every transcriber that detects turns must do, in whole calls against a loopback server that speaks the vendor's own
// protocol: the vendor's judgement ends turns, and ours does where the agent wants that.
import { describe, expect, it } from 'vitest'
import type { TurnDetection } from '../../../src/ports/transcriber.ts'
import type { SttVendor } from '../../../src/ports/vendor.ts'
import { reopening } from '../../../src/speech/reopening.ts'
import { cleanupsHere } from './cleanups-here.ts'
import type { TurnServer } from './stt-server.ts'
import { vendorCall } from './vendor-call.ts'

export interface TurnSuite {
  readonly vendor: SttVendor
  readonly credentials: Readonly<Record<string, string>>
  readonly open: () => Promise<TurnServer>
  readonly model: string
  /** How it detects turns for an agent with the usual endpointing. */
  readonly detection: TurnDetection
  /** Whether an agent has to ask for it. */
  readonly onRequest?: boolean
  /** Whether it tells probable ends. */
  readonly tellsLikely?: boolean
}

const usual = { rateHz: 8_000, endpointingMs: 500 } as const

export function turnSuite(name: string, suite: TurnSuite): void {
  const { vendor, credentials, model, detection } = suite
  const cleanups = cleanupsHere()

  /** A call that the vendor hears; `asks`: as the agent writes it. */
  async function calling(asks: 'vendor' | 'parley' | undefined, task = {}) {
    const server = await suite.open()
    const engine = vendor.open({ credentials, baseUrl: server.baseUrl })
    const transcriber = reopening(
      { label: vendor.label, transcriber: engine, streaming: true },
      { onNote() {}, onHeard() {}, next: () => undefined },
    )
    const phone = vendorCall({
      replies: ['At seven.', 'At eight.', 'At nine.'],
      agent: { transcriber: { language: 'en', model }, ...(asks && { api_tools: { turn_detection: asks } }) },
      task,
      parts: { transcriber },
    })
    cleanups.push(
      () => server.close(),
      () => phone.stop(),
    )
    const { call, until } = phone
    await call.answer()
    await until(() => server.connections.size === 1)
    const isHeard = (words: string) =>
      call.updates.some((update) => update.type === 'partial' && update.text === words)
    return {
      ...phone,
      server,
      /** A voice with these words, which the vendor tells, and the silence after it. */
      async says(words: string) {
        call.detector.tell('speech-start')
        await call.run(400)
        server.partial(words)
        await until(() => isHeard(words))
        call.detector.tell('speech-end')
      },
      isHeard,
      wasAsked: () => server.told.includes('finalize'),
    }
  }

  describe(`${name}, detecting turns`, () => {
    it('does so as an agent wants it', () => {
      const { detectsTurns } = vendor.open({ credentials })
      const asked = (turnDetection: 'engine' | 'call' | undefined, endpointingMs = 500) =>
        detectsTurns?.({ ...usual, model, endpointingMs, turnDetection })
      expect(asked('engine')).toEqual(detection)
      expect(asked(undefined)).toEqual(suite.onRequest ? undefined : detection)
      expect(asked('call')).toBeUndefined()
      const [brisk, slow] = [asked('engine', 300), asked('engine', 900)]
      expect(brisk?.longestSilenceMs).toBeLessThan(slow?.longestSilenceMs ?? 0)
    })

    it('ends a turn that sounds unfinished to us, without being asked', async () => {
      const { call, server, until, says, wasAsked } = await calling(suite.onRequest ? 'vendor' : undefined)
      await says('the one with the')
      server.turn('certain', 'the one with the')
      await until(() => call.spoken().length === 2)
      expect(call.spoken()).toEqual(['user: the one with the', 'agent: At seven.'])
      expect(wasAsked()).toBe(false)
    })

    it('and goes on to the next turn', async () => {
      const { call, server, until, says } = await calling('vendor')
      for (const words of ['when does it start', 'and when does it end']) {
        const spoken = call.spoken().length
        await says(words)
        server.turn('certain', words)
        await until(() => call.spoken().length === spoken + 2)
      }
      expect(call.spoken().filter((line) => line.startsWith('user'))).toEqual([
        'user: when does it start',
        'user: and when does it end',
      ])
    })

    if (suite.tellsLikely)
      it('has the reply prepared to a probable end, and takes it back for a caller who goes on', async () => {
        const task = { optimize_latency: true, incremental_delay: 60_000, interruption_backoff_period: 0 }
        const { call, server, until, says, isHeard } = await calling('vendor', task)
        await says('a table for two and')
        server.turn('likely', 'a table for two and')
        await until(() => call.model.requests.length === 1)
        call.detector.tell('speech-start')
        server.turn('withdrawn', 'a table for two and')
        await call.run(400)
        server.partial('a table for two and a child')
        await until(() => isHeard('a table for two and a child'))
        call.detector.tell('speech-end')
        server.turn('certain', 'a table for two and a child')
        await until(() => call.spoken().length === 2)
        expect(call.spoken()[0]).toBe('user: a table for two and a child')
      })

    it('leaves it to the call where the agent wants that: it is asked for the final', async () => {
      const { call, server, until, says, wasAsked } = await calling('parley')
      await says('when does it start')
      await until(wasAsked)
      server.final('when does it start')
      await until(() => call.spoken().length === 2)
      expect(call.spoken()[0]).toBe('user: when does it start')
    })
  })
}
