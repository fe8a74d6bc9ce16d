// What a telephone line does to a call, ticked by hand: early media, holds, digits, transfers, the cause of the end.
import { describe, expect, it } from 'vitest'
import { rehearse, type Scene, settle } from '../../test/props/call/rehearsal.ts'
import type { Frame } from '../media/frame.ts'
import type { TransferResult } from '../ports/line.ts'

const greeting = 'Hello, this is Maple Dental.'
const long = 'We are open from nine in the morning until six in the evening every day'
const music = 4_321

/** In the middle of a long reply; records what the transcriber is fed. */
async function midReply(scene: Scene = {}) {
  const call = rehearse({ replies: [long, 'As I said.'], ...scene })
  await call.answer()
  const fed: number[] = []
  call.ears.now.write = ({ samples }: Frame) => void fed.push(samples[0] ?? 0)
  await call.says('when are you open')
  await call.until(() => call.hears(long))
  await call.run(500)
  const { session, line, recording } = call
  return { call, session, line, recording, fed }
}

type Call = ReturnType<typeof rehearse>

/** Advances the clock by this much, with one frame of the other side per tick. */
async function runWith(call: Call, sample: number, ms: number) {
  for (let passed = 0; passed < ms; passed += 20) {
    call.line.bring(sample)
    await call.tick()
  }
}

describe('early media', () => {
  it('is not treated as the caller: not transcribed, not recorded, not an answer', async () => {
    const call = rehearse({ agent: { agent_welcome_message: greeting } })
    await call.tick()
    call.line.tell({ type: 'ringing' })
    call.line.tell({ type: 'early-media' })
    await runWith(call, music, 3_000)
    expect(call.ears.streams).toEqual([])
    expect(call.line.sent).toEqual([])
    expect(call.updates.filter(({ type }) => type === 'status')).toEqual([
      { type: 'status', status: 'initiated' },
      { type: 'status', status: 'ringing' },
    ])
    await call.answer()
    await call.run(100)
    expect(call.recording.caller).not.toContain(music)
    expect(call.hears(greeting)).toBe(true)
  })

  it('does not keep an unanswered call from timing out', async () => {
    const call = rehearse()
    await call.tick()
    call.line.tell({ type: 'early-media' })
    await runWith(call, music, 60_100)
    expect(call.outcome).toMatchObject({
      status: 'no-answer',
      hangupReason: 'dial_no_answer',
      recorded: false,
    })
    expect(call.outcome.line).toEqual({ codec: null, carrierCause: null, quality: null, transfer: null })
  })
})

describe('a hold by the other side', () => {
  it('silences the agent in the middle of a sentence, which resumes afterwards', async () => {
    const { call, line } = await midReply()
    line.tell({ type: 'held' })
    const before = line.sent.length
    await call.run(5_000)
    expect(line.sent.slice(before)).toEqual(Array(250).fill(0))
    line.tell({ type: 'resumed' })
    await call.tick()
    expect(call.hears(long)).toBe(true)
    await call.until(() => call.isSilent())
    expect(call.spoken()).toEqual(['user: when are you open', `agent: ${long}`])
    expect(call.notes()).toEqual([
      'The other side put the call on hold.',
      'The other side took the call off hold.',
    ])
  })

  it('feeds the transcriber silence, records what the line delivers, and keeps the two in step', async () => {
    const { call, line, fed, recording } = await midReply()
    line.tell({ type: 'held' })
    const before = fed.length
    await runWith(call, music, 2_000)
    expect(fed.length - before).toBe(100)
    expect(fed).not.toContain(music)
    expect(recording.caller.filter((sample) => sample === music)).toHaveLength(100)
    line.tell({ type: 'resumed' })
    await runWith(call, 77, 200)
    expect(fed.filter((sample) => sample === 77).length).toBeGreaterThan(5)
  })

  it('stops the silence timers: the caller is neither prompted nor hung up on', async () => {
    const task = {
      hangup_after_silence: 10,
      check_if_user_online: true,
      trigger_user_online_message_after: 5,
    }
    const call = rehearse({ task })
    await call.answer()
    await call.run(2_000)
    call.line.tell({ type: 'held' })
    await call.run(120_000)
    expect(call.isOver).toBe(false)
    expect(call.line.sent.every((sample) => sample === 0)).toBe(true)
    call.line.tell({ type: 'resumed' })
    await call.run(2_900)
    expect(call.voice.texts).toEqual([])
    await call.run(300)
    expect(call.voice.texts).toHaveLength(1)
  })

  it('that follows the caller’s words delays the reply until the resume, and latency counts from there', async () => {
    const call = rehearse({ replies: ['Of course.'] })
    await call.answer()
    const { detector, ears } = call
    detector.tell('speech-start')
    await call.run(400)
    ears.now.push({ type: 'partial', text: 'hold on please' })
    detector.tell('speech-end')
    call.line.tell({ type: 'held' })
    await call.run(30_000)
    ears.now.push({ type: 'final', text: 'hold on please' })
    await call.run(1_000)
    expect(call.model.requests).toHaveLength(0)
    call.line.tell({ type: 'resumed' })
    await call.until(() => call.hears('Of course.'), 3_000)
    const [latency] = call.updates.flatMap((update) => (update.type === 'latency' ? [update.latency] : []))
    expect(latency?.totalMs).toBeLessThan(2_000)
  })

  it('that interrupts a reply under way excludes that reply from the latency figures', async () => {
    const call = rehearse({ task: { optimize_latency: false }, replies: ['Of course.'] })
    await call.answer()
    await call.says('are you there')
    await call.until(() => call.model.requests.length > 0)
    call.line.tell({ type: 'held' })
    await call.run(20_000)
    call.line.tell({ type: 'resumed' })
    await call.until(() => call.hears('Of course.'), 3_000)
    expect(call.updates.filter(({ type }) => type === 'latency')).toEqual([])
  })

  it('does not extend the maximum duration, and no farewell is said during it', async () => {
    const call = rehearse({ task: { call_terminate: 60, call_hangup_message: 'Goodbye.' } })
    await call.answer()
    call.line.tell({ type: 'held' })
    await call.run(60_100)
    expect(call.outcome).toMatchObject({ status: 'completed', hangupReason: 'max_duration_reached' })
    expect(call.line.sent.every((sample) => sample === 0)).toBe(true)
  })

  it('during the farewell ends the call at once', async () => {
    const call = rehearse({ task: { call_terminate: 5, call_hangup_message: 'Goodbye, and thank you.' } })
    await call.answer()
    await call.until(() => call.hears('Goodbye, and thank you.'))
    call.line.tell({ type: 'held' })
    await call.tick()
    expect(call.outcome).toMatchObject({ hangupReason: 'max_duration_reached' })
  })
})

describe('our own commands', () => {
  it('send digits, and resolve when they are sent', async () => {
    const { session, line } = await midReply()
    await expect(session.sendDigits('12#')).resolves.toBeUndefined()
    expect(line.commands).toEqual(['digits 12#'])
  })

  it('hold and resume the line', async () => {
    const { call, session, line } = await midReply()
    await session.hold(true)
    await call.run(1_000)
    expect(call.isSilent()).toBe(true)
    await session.hold(false)
    await call.tick()
    expect(call.hears(long)).toBe(true)
    expect(line.commands).toEqual(['hold', 'resume'])
  })

  it('leave the agent talking when the hold fails', async () => {
    const { call, session, line } = await midReply()
    line.onHold = () => Promise.reject(new Error('491 Request Pending'))
    await expect(session.hold(true)).rejects.toThrow('491 Request Pending')
    await call.tick()
    expect(call.hears(long)).toBe(true)
  })

  it('keep both sides apart while either of two holds remains', async () => {
    const { call, session, line } = await midReply()
    line.tell({ type: 'held' })
    await session.hold(true)
    line.tell({ type: 'resumed' })
    await call.run(500)
    expect(call.isSilent()).toBe(true)
    await session.hold(false)
    await call.tick()
    expect(call.hears(long)).toBe(true)
  })

  it('are refused without an attempt by a line that lacks the ability', async () => {
    const { session, line } = await midReply()
    line.can = { digits: false, hold: false, transfers: ['blind'], earlyMedia: false, codecs: [] }
    expect(session.can?.transfers).toEqual(['blind'])
    await expect(session.sendDigits('1')).rejects.toThrow('This line cannot send digits.')
    await expect(session.hold(true)).rejects.toThrow('This line cannot be put on hold.')
    const bridged = session.transfer({ to: '+15550100', mode: 'bridged' })
    await expect(bridged).rejects.toThrow('This line cannot do a bridged transfer.')
    expect(line.commands).toEqual([])
  })

  it('are refused before the answer and after the end', async () => {
    const call = rehearse()
    await call.tick()
    const early = call.session.sendDigits('1')
    await expect(early).rejects.toThrow('not answered yet')
    await call.answer()
    call.session.stop('api')
    await expect(call.session.hold(true)).rejects.toThrow('The call has ended.')
    expect(call.line.commands).toEqual([])
  })

  it('that are under way when the call ends are abandoned', async () => {
    const { call, session, line } = await midReply()
    line.onDigits = () => new Promise(() => {})
    const sending = session.sendDigits('1')
    line.tell({ type: 'ended', cause: 'hangup' })
    await expect(sending).rejects.toThrow('The call has ended.')
    await settle()
    expect(call.outcome.hangupReason).toBe('user_hangup')
  })
})

describe('a transfer', () => {
  const blind = { to: '+15550199', mode: 'blind' } as const
  const bridged = { to: '+15550199', mode: 'bridged' } as const

  /** Resolves when the test says so. */
  async function transferring(request: typeof blind | typeof bridged) {
    const scene = await midReply()
    const result = Promise.withResolvers<TransferResult>()
    scene.line.onTransfer = () => result.promise
    const transfer = scene.session.transfer(request)
    await scene.call.run(500)
    return { ...scene, transfer, give: result.resolve }
  }

  it('that succeeds ends the call, and then the line is hung up', async () => {
    const { call, line, transfer, give } = await transferring(blind)
    expect(call.isSilent()).toBe(true)
    expect(line.hungUp).toBe(0)
    give({ is: 'completed' })
    await expect(transfer).resolves.toEqual({ is: 'completed' })
    await settle()
    expect(call.outcome).toMatchObject({
      status: 'completed',
      terminatedBy: 'transfer',
      hangupReason: 'transfer_completed',
      line: { transfer: { to: blind.to, method: 'blind', mode: 'cold', outcome: 'completed', reason: null } },
    })
    expect([line.hungUp, line.hangUpReason]).toEqual([1, 'transfer_completed'])
  })

  it('that fails leaves the call and the agent running', async () => {
    const { call, transfer, give } = await transferring(blind)
    give({ is: 'failed', reason: 'The target is busy.' })
    await expect(transfer).resolves.toMatchObject({ is: 'failed' })
    await call.tick()
    expect(call.hears(long)).toBe(true)
    expect(call.notes()).toContain('The transfer failed: The target is busy.')
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await call.tick()
    expect(call.outcome).toMatchObject({
      hangupReason: 'user_hangup',
      line: { transfer: { outcome: 'failed', reason: 'The target is busy.' } },
    })
  })

  it('fails when the line throws', async () => {
    const { call, session, line } = await midReply()
    line.onTransfer = () => {
      throw new Error('A bug.')
    }
    await expect(session.transfer(blind)).rejects.toThrow('A bug.')
    await call.tick()
    expect(call.hears(long)).toBe(true)
  })

  it('that bridges keeps recording, with the agent out of it, until the two hang up', async () => {
    const { call, give, fed, recording, line } = await transferring(bridged)
    give({ is: 'bridged' })
    await settle()
    const before = line.sent.length
    await runWith(call, music, 4_000)
    expect(line.sent.slice(before).every((sample) => sample === 0)).toBe(true)
    expect(fed).not.toContain(music)
    expect(recording.caller.filter((sample) => sample === music)).toHaveLength(200)
    await expect(call.session.sendDigits('1')).rejects.toThrow('The call is being transferred.')
    line.tell({ type: 'ended', cause: 'hangup' })
    await call.tick()
    expect(call.outcome).toMatchObject({
      status: 'completed',
      terminatedBy: 'transfer',
      hangupReason: 'transfer_completed',
      recorded: true,
    })
  })

  it('reports its progress in the notes of the call', async () => {
    const { call, line } = await transferring(blind)
    line.tell({ type: 'transfer-progress', is: 'trying' })
    line.tell({ type: 'transfer-progress', is: 'ringing' })
    expect(call.notes().slice(-3)).toEqual([
      'The call is being transferred to +15550199 (blind).',
      'The transfer is trying.',
      'The transfer is ringing.',
    ])
  })

  it('whose caller hangs up meanwhile ends as a hang-up by the caller', async () => {
    const { call, line, transfer } = await transferring(blind)
    line.tell({ type: 'ended', cause: 'hangup' })
    await expect(transfer).rejects.toThrow('The call has ended.')
    await settle()
    expect(call.outcome).toMatchObject({ hangupReason: 'user_hangup', terminatedBy: 'user' })
  })
})

describe('the record of the line', () => {
  it('has the last codec in use and the carrier’s own cause', async () => {
    const call = rehearse()
    await call.answer()
    call.line.tell({ type: 'codec-changed', codec: { name: 'opus', rateHz: 48_000 } })
    const carrierCause = { protocol: 'sip', code: 480, text: 'Temporarily Unavailable' }
    call.line.tell({ type: 'ended', cause: 'failed', reason: 'The network went away.', carrierCause })
    await call.tick()
    expect(call.outcome).toMatchObject({
      errorMessage: 'The network went away.',
      line: { codec: { name: 'opus', rateHz: 48_000 }, carrierCause, quality: null, transfer: null },
    })
  })

  it('is empty when there was no line', async () => {
    const connect = () => {
      throw new Error('No trunk.')
    }
    const call = rehearse({ parts: { connect } })
    await call.tick()
    await settle()
    expect(call.outcome).toMatchObject({ hangupReason: 'dial_failed', errorMessage: 'No trunk.' })
    expect(call.outcome.line).toBeUndefined()
  })

  it('has no carrier cause when we hang up, and the carrier receives our reason', async () => {
    const call = rehearse()
    await call.answer()
    call.session.stop('api')
    await settle()
    expect(call.outcome.line).toEqual({
      codec: { name: 'PCMU', rateHz: 8_000 },
      carrierCause: null,
      quality: null,
      transfer: null,
    })
    expect(call.line.hangUpReason).toBe('api_stopped')
  })
})
