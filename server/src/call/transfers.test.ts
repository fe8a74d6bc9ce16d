// Transfers to the agent's destinations, ticked by hand: cold and warm, and how they come back.
import { describe, expect, it } from 'vitest'
import { rehearse, type Scene, settle } from '../../test/props/call/rehearsal.ts'
import type { ScriptedConsultation } from '../../test/props/call/scripted-line.ts'
import { says, wants } from '../../test/props/call/scripted-model.ts'
import type { TransferResult } from '../ports/line.ts'

const connecting = 'Please stay on the line.'
const back = "I'm sorry, I could not reach anybody there."
const question = 'Say yes or press 1 to take the call, or press 2 to decline.'

const destinations = [
  { name: 'Sales', to_phone_number: '+15550114' },
  { name: 'Front desk', to_phone_number: '+15550115', mode: 'warm', message: 'A patient has a question.' },
  { name: 'Boss', to_phone_number: 'sip:boss@example.com', mode: 'warm' },
]
const to = (destination: string) => wants('transfer_call', JSON.stringify({ destination }))

type Call = ReturnType<typeof rehearse>

/** The caller has asked, and the agent has told them to wait. */
async function asked(destination: string, scene: Scene = {}, prepare: (call: Call) => void = () => {}) {
  const call = rehearse({
    agent: { call_transfer_config: { destinations } },
    replies: [[to(destination)], 'What else?'],
    ...scene,
  })
  prepare(call)
  await call.answer()
  await call.says('connect me please')
  await call.until(() => call.hears(connecting) || call.isOver)
  return call
}

async function warm(destination = 'Front desk', scene: Scene = {}) {
  const call = await asked(destination, scene)
  await call.until(() => call.line.seconds.length > 0)
  const [second] = call.line.seconds
  if (!second) throw new Error('no second call')
  return { call, second }
}

/** Answers, says hello, and hears what it is about. */
async function briefed(call: Call, second: ScriptedConsultation, words = 'A patient has a question.') {
  second.tell({ type: 'ringing' })
  await call.run(2_000)
  second.answer()
  await call.run(200)
  await call.says('Hello?', 400)
  await call.until(() => second.sent.at(-1) === call.voice.sampleOf(words) && second.sent.at(-1) !== 0)
  await call.until(
    () => call.voice.texts.includes(question) && second.sent.at(-1) === call.voice.sampleOf(question),
  )
  await call.until(() => second.sent.at(-1) === 0)
}

const record = (call: Call) => call.outcome.line?.transfer
const cameBack = (call: Call) => call.until(() => call.voice.texts.includes(back))

describe('a cold transfer', () => {
  it('is blind where the line can, begins when the agent has said so, and ends the call', async () => {
    const call = await asked('sales')
    expect(call.line.commands).toEqual([])
    await call.until(() => call.isOver)
    expect(call.line.commands).toEqual(['blind transfer to +15550114'])
    expect(call.outcome).toMatchObject({
      status: 'completed',
      terminatedBy: 'transfer',
      hangupReason: 'transfer_completed',
    })
    expect(record(call)).toMatchObject({
      destination: 'Sales',
      to: '+15550114',
      mode: 'cold',
      method: 'blind',
      outcome: 'completed',
      reason: null,
      seconds: expect.any(Number),
    })
    expect(call.spoken().at(-1)).toBe('tool: The caller was connected to Sales.')
  })

  it.each<[string, TransferResult, string]>([
    ['busy', { is: 'failed', reason: 'It is busy.', cause: 'busy' }, 'busy'],
    ['without an answer', { is: 'failed', reason: 'Nobody.', cause: 'no-answer' }, 'no-answer'],
    ['rejected', { is: 'failed', reason: 'No.', cause: 'rejected' }, 'declined'],
    ['not reported on', { is: 'failed', reason: 'Nothing was heard of it.' }, 'failed'],
  ])('that is %s comes back, and the conversation goes on', async (_, result, outcome) => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.onTransfer = async () => result
    })
    await call.until(() => call.hears(back))
    await call.until(() => call.isSilent())
    await call.says('then tell me the hours')
    await call.until(() => call.hears('What else?'))
    expect(call.model.requests.at(-1)?.messages.map(({ content }) => content)).toContainEqual(
      expect.stringContaining('The transfer to Sales failed'),
    )
    call.session.stop('api')
    await settle()
    expect(record(call)).toMatchObject({ outcome, method: 'blind' })
  })

  const refused: TransferResult = { is: 'failed', reason: 'Method Not Allowed', isRefused: true }

  it('that the far end refuses to carry out is a second call, joined when it is answered', async () => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.onTransfer = async () => refused
    })
    await call.until(() => call.line.seconds.length > 0)
    const [second] = call.line.seconds
    await call.run(1_000)
    second?.answer()
    await settle()
    expect(second).toMatchObject({ to: '+15550114', joined: 1 })
    expect(call.notes()).toContain('The far end refused to transfer the call: Method Not Allowed')
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await settle()
    expect(record(call)).toMatchObject({ mode: 'cold', method: 'bridged', outcome: 'completed' })
  })

  it('that is refused on a line without second calls comes back', async () => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.onTransfer = async () => refused
      line.consult = undefined
    })
    await cameBack(call)
    call.session.stop('api')
    await settle()
    expect(record(call)).toMatchObject({ method: 'blind', outcome: 'failed', reason: 'Method Not Allowed' })
  })

  it('that the carrier never reports comes back after a minute', async () => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.onTransfer = () => new Promise(() => {})
    })
    await call.run(55_000)
    expect(call.isSilent()).toBe(false)
    await cameBack(call)
  })

  it('on a line that cannot do it blindly is a second call, joined when it is answered', async () => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.can = { ...line.can, transfers: [] }
    })
    await call.until(() => call.line.seconds.length > 0)
    const [second] = call.line.seconds
    await call.run(1_000)
    second?.answer()
    await settle()
    expect(second).toMatchObject({ to: '+15550114', joined: 1 })
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await settle()
    expect(call.outcome.hangupReason).toBe('transfer_completed')
    expect(record(call)).toMatchObject({ mode: 'cold', method: 'bridged', outcome: 'completed' })
  })

  it('on a line that can do nothing of the kind comes back at once', async () => {
    const call = await asked('Sales', {}, ({ line }) => {
      line.can = { ...line.can, transfers: [] }
      line.consult = undefined
    })
    await cameBack(call)
    expect(call.notes()).toContain('The transfer failed: This line cannot transfer calls.')
  })
})

describe('a warm transfer', () => {
  it('tells the target what it is about while the caller hears music, and connects the two on a yes', async () => {
    const { call, second } = await warm()
    expect(second.to).toBe('+15550115')
    await call.run(500)
    expect(new Set(call.line.sent.slice(-20)).size).toBeGreaterThan(5)
    await briefed(call, second)
    await call.says('Yes, sure.')
    await call.until(() => second.joined === 1)
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await settle()
    expect(call.outcome).toMatchObject({ terminatedBy: 'transfer', hangupReason: 'transfer_completed' })
    expect(record(call)).toMatchObject({
      destination: 'Front desk',
      mode: 'warm',
      method: 'bridged',
      outcome: 'completed',
    })
    expect(record(call)?.seconds).toBeGreaterThan(3)
    expect(call.detector.streamsOpen).toBe(0)
  })

  it('is recorded: what the target hears beside what it and the caller say', async () => {
    const { call, second } = await warm()
    await briefed(call, second)
    // The music that the caller hears meanwhile is not.
    const words = call.recording.agent.filter((one) => one !== 0).slice(-20)
    expect(new Set(words)).toEqual(new Set([call.voice.sampleOf(question)]))
    second.bring(300)
    await call.tick()
    call.line.bring(20)
    await call.tick()
    expect(call.recording.caller.at(-1)).toBe(320)
    await call.says('Yes.')
    await call.until(() => second.joined === 1)
    call.line.bring(21)
    second.bring(301)
    await call.tick()
    // From now on the line itself hears both.
    expect(call.recording.caller.at(-1)).toBe(21)
  })

  it('is taken by a key at any time', async () => {
    const { call, second } = await warm()
    second.answer()
    await call.run(2_000)
    second.tell({ type: 'digit', digit: '1' })
    await call.until(() => second.joined === 1)
  })

  it('lets the two talk longer than the agent may', async () => {
    const { call, second } = await warm('Front desk', { task: { call_terminate: 30 } })
    second.answer()
    second.tell({ type: 'digit', digit: '1' })
    await call.run(60_000)
    expect(call.isOver).toBe(false)
  })

  it.each<[string, (call: Call, second: ScriptedConsultation) => Promise<void> | void, string]>([
    ['declines by a word', async (call) => call.says('No, not now.'), 'declined'],
    ['declines by a key', (_, second) => second.tell({ type: 'digit', digit: '2' }), 'declined'],
    ['hangs up', (_, second) => second.tell({ type: 'ended', cause: 'hangup' }), 'declined'],
    [
      'is a voicemail box',
      (call) => call.ears.now.push({ type: 'partial', text: 'leave a message' }),
      'no-answer',
    ],
    ['says nothing, asked twice', async (call) => call.run(25_000), 'declined'],
  ])('to a target that %s comes back', async (_, does, outcome) => {
    const { call, second } = await warm()
    await briefed(call, second)
    await does(call, second)
    await cameBack(call)
    expect(second).toMatchObject({ joined: 0, hungUp: 1 })
    call.session.stop('api')
    await settle()
    expect(record(call)).toMatchObject({ outcome, destination: 'Front desk' })
    expect(call.detector.streamsOpen).toBe(0)
  })

  it.each([
    ['busy', 'busy'],
    ['rejected', 'declined'],
    ['no-answer', 'no-answer'],
    ['unreachable', 'failed'],
  ] as const)('to a number that is %s comes back', async (cause, outcome) => {
    const { call, second } = await warm()
    second.tell({ type: 'ended', cause })
    await cameBack(call)
    call.session.stop('api')
    await settle()
    expect(record(call)).toMatchObject({ outcome })
  })

  it('to a target that has left when the two are connected comes back', async () => {
    const { call, second } = await warm()
    second.joinFault = new Error('The target of the transfer has left.')
    second.answer()
    second.tell({ type: 'digit', digit: '1' })
    await cameBack(call)
    expect(call.isOver).toBe(false)
    expect(second.hungUp).toBe(1)
    call.session.stop('api')
    await settle()
    expect(record(call)).toMatchObject({ outcome: 'failed', reason: 'The target of the transfer has left.' })
  })

  it('to a number that rings for 30 s is given up', async () => {
    const { call, second } = await warm()
    second.tell({ type: 'ringing' })
    await call.run(29_000)
    expect(second.hungUp).toBe(0)
    await cameBack(call)
    expect(second.hungUp).toBe(1)
  })

  it('is dropped when the caller hangs up meanwhile', async () => {
    const { call, second } = await warm()
    second.answer()
    await call.run(1_000)
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await settle()
    expect(call.outcome).toMatchObject({ status: 'completed', hangupReason: 'user_hangup' })
    expect(record(call)).toMatchObject({ outcome: 'failed', reason: 'The call ended first.' })
    expect(second).toMatchObject({ joined: 0, hungUp: 1 })
    expect(call.detector.streamsOpen).toBe(0)
  })

  it('without a message tells what the model makes of the conversation', async () => {
    const { call, second } = await warm('Boss', {
      replies: [[to('Boss')], [says('Ada wants to complain about a bill.')]],
    })
    await briefed(call, second, 'Ada wants to complain about a bill.')
    expect(second.to).toBe('sip:boss@example.com')
  })

  it('without a message or a summary says that somebody waits', async () => {
    const { call, second } = await warm('Boss', {
      replies: [[to('Boss')], [new Error('The model is away.')]],
    })
    await briefed(call, second, 'A caller is waiting to speak to you.')
  })

  it('on a line without second calls is cold', async () => {
    const call = await asked('Front desk', {}, ({ line }) => {
      line.consult = undefined
    })
    await call.until(() => call.isOver)
    expect(call.line.commands).toEqual(['blind transfer to +15550115'])
    expect(call.notes()).toContain('This line cannot place a second call: the transfer is cold.')
  })
})

describe('the tool', () => {
  it('knows the destinations and no others', async () => {
    const call = await asked('Sales')
    const [request] = call.model.requests
    expect(request?.tools).toEqual([
      expect.objectContaining({
        name: 'transfer_call',
        parameters: expect.objectContaining({
          properties: { destination: expect.objectContaining({ enum: ['Sales', 'Front desk', 'Boss'] }) },
        }),
      }),
    ])
  })

  it('refuses a number of the model’s own, and the model may correct itself', async () => {
    const call = rehearse({
      agent: { call_transfer_config: { destinations } },
      replies: [[to('+19005550100')], [says('I cannot do that.')]],
    })
    await call.answer()
    await call.says('connect me to this number')
    await call.until(() => call.hears('I cannot do that.'))
    expect(call.line.commands).toEqual([])
    expect(call.spoken()).toContain(
      'tool: There is no destination "+19005550100"; there are Sales, Front desk, Boss.',
    )
  })

  it('is not there without destinations', async () => {
    const call = rehearse({ replies: ['No.'] })
    await call.answer()
    await call.says('connect me')
    await call.until(() => call.hears('No.'))
    expect(call.model.requests[0]?.tools).toEqual([])
  })

  it('of a turn that the caller takes back transfers nobody', async () => {
    const call = rehearse({
      agent: { call_transfer_config: { destinations } },
      replies: [[says('I will connect you now to our sales.'), to('Sales')], 'As you like.'],
    })
    await call.answer()
    await call.says('connect me')
    await call.until(() => call.hears('I will connect you now to our sales.'))
    await call.says('wait, no, stop')
    await call.until(() => call.hears('As you like.'))
    await call.run(5_000)
    expect(call.line.commands).toEqual([])
  })
})
