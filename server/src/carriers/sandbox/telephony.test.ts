// What a simulated line can do besides carrying speech, ticked by hand: early media, holds, digits, transfers, causes, codecs.
import { describe, expect, it } from 'vitest'
import { rehearse, settle } from '../../../test/props/call/rehearsal.ts'
import {
  dialSandbox,
  hum,
  loudFrames,
  manualTicker,
  memoryEngines,
  speech,
} from '../../../test/props/call/sandbox-call.ts'
import { decodeMuSample, encodeMuSample } from '../../media/g711.ts'
import { sandboxCarrier } from './sandbox.ts'

/** Answers after 20 ms and says nothing by itself. */
const silent = { ring_ms: 0, afterwards: 'silence' }

async function answered(sandbox: object = {}, to = '+1') {
  const call = dialSandbox(to, { ...silent, ...sandbox })
  await call.run(60)
  expect(call.types()).toContain('answered')
  return call
}

describe('early media', () => {
  it('is heard while it rings, and ends with the answer', async () => {
    const { run, types, levels } = dialSandbox('+15550106', {
      ring_ms: 1_000,
      early_media: { sound: 'ring_back' },
    })
    await run(900)
    expect(types()).toEqual(['ringing', 'early-media'])
    expect(loudFrames(levels)).toBeGreaterThan(40)
    const before = levels.length
    await run(1_000)
    expect(types()).toEqual(['ringing', 'early-media', 'answered'])
    expect(loudFrames(levels.slice(before + 6))).toBe(0)
  })

  it('can be a network announcement before a failure', async () => {
    const { run, events, levels } = dialSandbox('+15550103', {
      ring_ms: 600,
      early_media: { say: 'not in service' },
      cause: { protocol: 'sip', code: 404, text: 'Not Found' },
    })
    await run(700)
    expect(loudFrames(levels)).toBe('not in service'.length)
    expect(events.map(({ type }) => type)).toEqual(['early-media', 'ended'])
    expect(events.at(-1)).toMatchObject({ carrierCause: { protocol: 'sip', code: 404, text: 'Not Found' } })
  })

  it('whose voice fails ends the call with the reason', async () => {
    const synthesizer = {
      // biome-ignore lint/correctness/useYield: it breaks before its first frame
      async *synthesize() {
        throw new Error('no voice')
      },
    }
    const { run, events } = dialSandbox('+1', { early_media: { say: 'a' } }, { synthesizer })
    await run(200)
    expect(events.at(-1)).toMatchObject({ cause: 'failed', reason: expect.stringContaining('no voice') })
  })
})

describe('causes', () => {
  it.each([
    ['+15550101', {}, { protocol: 'q850', code: 17, text: 'User busy' }],
    ['+15550102', { ring_ms: 100 }, { protocol: 'q850', code: 19, text: 'No answer from user' }],
    ['+15550103', {}, { protocol: 'q850', code: 38, text: 'Network out of order' }],
    [
      '+1',
      { ...silent, steps: [{ hang_up: true }] },
      { protocol: 'q850', code: 16, text: 'Normal call clearing' },
    ],
    ['+15550101', { cause: { code: 'X', text: 'y' } }, { protocol: 'q850', code: 'X', text: 'y' }],
  ])('of %s with %o', async (to, sandbox, carrierCause) => {
    const { run, events } = dialSandbox(to, sandbox)
    await run(600)
    expect(events.at(-1)).toMatchObject({ type: 'ended', carrierCause })
  })
})

describe('a hold by the callee', () => {
  it('is reported, plays its music for the given time, and ends', async () => {
    const { run, events, levels } = await answered({
      steps: [
        { hold_ms: 1_000, hold_sound: 'hold_music', after_ms: 200 },
        { say: 'back', after_ms: 0 },
      ],
    })
    await run(3_000)
    const [held, resumed] = events.filter(({ type }) => type === 'held' || type === 'resumed')
    expect([held?.type, resumed?.type]).toEqual(['held', 'resumed'])
    expect((resumed?.atMs ?? 0) - (held?.atMs ?? 0)).toBe(1_020)
    // The music box is struck every 450 ms and fades; "back" has four frames.
    expect(loudFrames(levels)).toBeGreaterThan(30)
    expect(loudFrames(levels.slice(-40))).toBe(0)
  })

  it('hears nothing of the agent meanwhile', async () => {
    const { run, levels } = await answered({
      echo: { delay_ms: 20, level_db: 0 },
      steps: [{ hold_ms: 1_000 }],
    })
    await run(500, speech)
    expect(loudFrames(levels)).toBe(0)
    await run(1_000, speech)
    expect(loudFrames(levels)).toBeGreaterThan(20)
  })

  it('can interrupt the agent', async () => {
    const { run, types } = await answered({
      steps: [{ while_agent_speaks: { after_ms: 300, hold_ms: 400 } }],
    })
    await run(1_000, speech)
    expect(types()).toEqual(['ringing', 'answered', 'held', 'resumed'])
  })
})

describe('digits from the agent', () => {
  it('take their time, and a step can wait for them', async () => {
    const { line, run, levels } = await answered({
      steps: [
        { when_digits: '12#', say: 'thank you' },
        { when_digits: '3', say: 'goodbye' },
      ],
    })
    let sent = false
    void line.sendDigits('012#').then(() => {
      sent = true
    })
    await run(780)
    expect(sent).toBe(false)
    expect(loudFrames(levels)).toBeGreaterThan(0)
    await run(200)
    expect(sent).toBe(true)
    await run(1_000)
    expect(loudFrames(levels)).toBe('thank you'.length)
    const second = line.sendDigits('3')
    await run(1_000)
    await second
    expect(loudFrames(levels)).toBe('thank you'.length + 'goodbye'.length)
  })

  it('that are invalid are refused', async () => {
    const { line } = await answered()
    await expect(line.sendDigits('12x')).rejects.toThrow('Only 0-9, *, # and A-D')
  })

  it('are abandoned when the line ends', async () => {
    const { line, run } = await answered()
    const sending = line.sendDigits('1234567890')
    const given = expect(sending).rejects.toThrow('The call has ended.')
    await run(300)
    line.hangUp()
    await given
    await expect(line.sendDigits('1')).rejects.toThrow('not answered, or over')
  })
})

describe('our own hold', () => {
  it('stops the audio in both directions', async () => {
    const { line, run, levels } = await answered({ echo: { delay_ms: 20, level_db: 0 }, steps: [] })
    await line.hold(true)
    const before = levels.length
    await run(500, speech)
    expect(levels.length).toBe(before)
    await line.hold(false)
    await run(500, speech)
    expect(loudFrames(levels.slice(before))).toBeGreaterThan(15)
  })
})

describe('a transfer', () => {
  it.each([
    ['+15550106', { is: 'completed' }, ['trying', 'ringing']],
    ['+15550101', { is: 'failed', reason: 'The target is busy.' }, ['trying']],
    ['+15550103', { is: 'failed', reason: 'The target could not be called.' }, ['trying']],
  ])('that is blind, to %s', async (to, result, progress) => {
    const { line, run, events } = await answered()
    const transfer = line.transfer({ to, mode: 'blind' })
    await run(500)
    expect(await transfer).toMatchObject(result)
    expect(events.flatMap((event) => (event.type === 'transfer-progress' ? [event.is] : []))).toEqual(
      progress,
    )
  })

  it('that rings out reports its cause, and the call continues', async () => {
    const { line, run, types, levels } = await answered({
      transfer: { target: { outcome: 'no_answer', ring_ms: 200, cause: { protocol: 'sip', code: 480 } } },
    })
    const transfer = line.transfer({ to: '+1', mode: 'bridged' })
    await run(400)
    expect(await transfer).toEqual({
      is: 'failed',
      reason: 'The target did not answer.',
      cause: 'no-answer',
      carrierCause: { protocol: 'sip', code: 480, text: '' },
    })
    const before = levels.length
    await run(200)
    expect(levels.length - before).toBe(10)
    expect(types()).not.toContain('hangup')
  })

  it('is refused by a callee whose script says so', async () => {
    const { line, run } = await answered({ transfer: { refuse: true } })
    const transfer = line.transfer({ to: '+15550100', mode: 'blind' })
    await run(40)
    expect(await transfer).toMatchObject({ is: 'failed', carrierCause: { code: 21 } })
  })

  it('that is bridged connects the two and lets us hear both, until one leaves', async () => {
    const { line, run, levels, types } = await answered({
      steps: [{ say: 'is anybody there', wait_for: 'agent_done' }],
      transfer: {
        target: {
          ring_ms: 100,
          steps: [
            { say: 'front desk', after_ms: 0 },
            { wait_for: 'agent_done', hang_up: true },
          ],
        },
      },
    })
    const transfer = line.transfer({ to: '+15550100', mode: 'bridged' })
    await run(200)
    expect(await transfer).toEqual({ is: 'bridged' })
    // The agent's audio does not reach them: the callee speaks because the target has spoken, and the target leaves because
    // the callee has.
    await run(6_000)
    expect(loudFrames(levels)).toBe('front desk'.length + 'is anybody there'.length)
    expect(types().at(-1)).toBe('hangup')
  })

  it('cannot run twice at once, and is abandoned when the call ends', async () => {
    const { line, run } = await answered()
    const first = line.transfer({ to: '+15550102', mode: 'blind' })
    const given = expect(first).rejects.toThrow('The call has ended.')
    await run(100)
    await expect(line.transfer({ to: '+1', mode: 'blind' })).rejects.toThrow('being transferred already')
    line.hangUp()
    await given
  })
})

describe('the codec', () => {
  it('alters the audio in both directions (µ-law)', async () => {
    const { events, run, frames, line } = await answered({
      codec: 'PCMU',
      echo: { delay_ms: 20, level_db: 0 },
      steps: [],
    })
    expect(events.at(-1)).toMatchObject({ type: 'answered', codec: { name: 'PCMU', rateHz: 8_000 } })
    await run(200, speech)
    const companded = speech.samples.map((sample) => decodeMuSample(encodeMuSample(sample)))
    expect(frames.at(-1)).toEqual(companded)
    expect(companded).not.toEqual(speech.samples)
    // The frame that we sent is not modified.
    expect(speech.samples).toEqual(hum(8_000).samples)
    expect(line.can.codecs.map(({ name }) => name)).toEqual(['L16', 'PCMU', 'PCMA'])
  })

  it('can change during the call', async () => {
    const { run, events } = await answered({ steps: [{ switch_codec: 'PCMA', after_ms: 100 }] })
    await run(300)
    expect(events.at(-1)).toMatchObject({ type: 'codec-changed', codec: { name: 'PCMA', rateHz: 8_000 } })
  })
})

describe('a whole call over such a line', () => {
  /** The real session on one side, the sandbox on the other, one manual clock. */
  function callOver(sandbox: object, to = '+1') {
    const ticker = manualTicker()
    const carrier = sandboxCarrier({ ...memoryEngines, ticker })
    const metadata = { sandbox: { ring_ms: 40, afterwards: 'silence', ...sandbox } }
    const call = rehearse({
      agent: { agent_welcome_message: 'Good morning.' },
      task: { hangup_after_silence: 3, check_if_user_online: false, call_hangup_message: '' },
      parts: {
        connect: (listener) =>
          carrier.dial({ sessionId: 's', to, from: null, trunkId: null, metadata }, listener),
      },
    })
    const run = async (ms: number) => {
      for (let passed = 0; passed < ms; passed += 20) {
        ticker.tick(call.nowMs)
        await call.tick()
      }
    }
    return { call, run, ticker }
  }

  it('survives a hold longer than its silence limit, and ends by silence after it', async () => {
    const { call, run } = callOver({ steps: [{ hold_ms: 20_000, hold_sound: 'hold_music', after_ms: 500 }] })
    await run(20_000)
    expect(call.isOver).toBe(false)
    await run(5_000)
    expect(call.outcome).toMatchObject({
      hangupReason: 'inactivity_timeout',
      line: { codec: { name: 'L16', rateHz: 8_000 }, carrierCause: null },
    })
    expect(call.recording.caller.some((sample) => sample !== 0)).toBe(true)
  })

  it('keeps early media from its recording and its transcriber', async () => {
    const early = { ring_ms: 3_000, early_media: { sound: 'ring_back' } }
    const { call, run } = callOver(early)
    await run(2_900)
    expect(call.ears.streams).toEqual([])
    await run(500)
    expect(call.recording.caller.length).toBeGreaterThan(10)
    expect(call.recording.caller.every((sample) => sample === 0)).toBe(true)
  })

  it('navigates a menu, is transferred, and reports how', async () => {
    const { call, run, ticker } = callOver({
      codec: 'PCMU',
      // A cough: the steady tone of the in-memory voice would pass for the beep of a machine.
      steps: [{ when_digits: '2', sound: 'cough', after_ms: 100 }],
    })
    await run(200)
    const digits = call.session.sendDigits('2')
    await run(1_000)
    await digits
    expect(call.recording.caller.some((sample) => sample !== 0)).toBe(true)
    const transfer = call.session.transfer({ to: '+15550106', mode: 'blind' })
    await run(600)
    expect(await transfer).toEqual({ is: 'completed' })
    expect(call.outcome).toMatchObject({
      status: 'completed',
      terminatedBy: 'transfer',
      hangupReason: 'transfer_completed',
      line: {
        codec: { name: 'PCMU', rateHz: 8_000 },
        transfer: { to: '+15550106', mode: 'cold', method: 'blind', outcome: 'completed' },
      },
    })
    expect(ticker.isTicking).toBe(false)
  })

  it('is bridged to another script, and recorded to its end', async () => {
    const { call, run } = callOver({
      transfer: {
        target: {
          ring_ms: 40,
          steps: [
            { say: 'hello', after_ms: 500 },
            { hang_up: true, after_ms: 500 },
          ],
        },
      },
    })
    await run(200)
    const transfer = call.session.transfer({ to: '+15550100', mode: 'bridged' })
    await run(300)
    expect(await transfer).toEqual({ is: 'bridged' })
    const before = call.recording.caller.length
    await run(3_000)
    await settle()
    expect(call.outcome).toMatchObject({ terminatedBy: 'transfer', line: { carrierCause: { code: 16 } } })
    expect(call.recording.caller.length - before).toBeGreaterThan(40)
  })

  it('that is refused carries the carrier’s cause into its outcome', async () => {
    const { call, run } = callOver({ cause: { protocol: 'sip', code: 603, text: 'Decline' } }, '+15550101')
    await run(200)
    expect(call.outcome).toMatchObject({
      status: 'busy',
      line: { codec: null, carrierCause: { protocol: 'sip', code: 603, text: 'Decline' } },
    })
  })
})
