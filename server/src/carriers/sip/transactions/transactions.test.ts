// The timers of RFC 3261 §17, table 4, one by one: what is repeated when, and when it is given up.
import { beforeEach, describe, expect, it } from 'vitest'
import { ManualClock } from '../../../../test/props/sip/network.ts'
import { untilAck } from '../call/reliable-answers.ts'
import { answerTo } from '../message/answer.ts'
import type { SipMessage, SipRequest } from '../message/message.ts'
import { openClient, openServer } from './transaction.ts'

let clock: ManualClock
beforeEach(() => {
  clock = new ManualClock()
})

const request = (method: string): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:b@example.com',
  headers: [
    { name: 'Via', value: 'SIP/2.0/UDP a;branch=z9hG4bK1' },
    { name: 'From', value: '<sip:a@example.com>;tag=a' },
    { name: 'To', value: '<sip:b@example.com>' },
    { name: 'Call-ID', value: 'c' },
    { name: 'CSeq', value: `1 ${method}` },
  ],
  body: new Uint8Array(0),
})

/** When something was sent, in ms since the beginning. */
const recorder = () => {
  const at: number[] = []
  const messages: SipMessage[] = []
  const events: string[] = []
  const note = (event: string) => () => void events.push(`${event} ${clock.now}`)
  const send = (message: SipMessage) => {
    at.push(clock.now)
    messages.push(message)
  }
  return { at, messages, events, note, send }
}

function client(method: string, reliable = false) {
  const { at, messages, events, note, send } = recorder()
  const invite = request(method)
  const transaction = openClient({
    request: invite,
    reliable,
    send,
    after: clock.after,
    onResponse: ({ status }) => void events.push(`${status} ${clock.now}`),
    onTimeout: note('timeout'),
    onTerminated: note('terminated'),
  })
  const answer = (status: number) => transaction.receive(answerTo(invite, status, { tag: 'x' }))
  return { at, messages, events, answer }
}

function server(method: string, reliable = false) {
  const { at, messages, events, note, send } = recorder()
  const received = request(method)
  const parts = { request: received, reliable, send, after: clock.after }
  const transaction = openServer({ ...parts, onTimeout: note('timeout'), onTerminated: note('terminated') })
  const respond = (status: number) => transaction.respond(answerTo(received, status, { tag: 'x' }))
  return { at, messages, events, respond, transaction }
}

describe('an INVITE of ours', () => {
  it('is repeated after T1, doubling without end (A), and given up after 64·T1 (B)', async () => {
    const { at, events } = client('INVITE')
    await clock.advance(40_000)
    expect(at).toEqual([0, 500, 1_500, 3_500, 7_500, 15_500, 31_500])
    expect(events).toEqual(['terminated 32000', 'timeout 32000'])
  })

  it('is sent once over TCP, and given up after 64·T1', async () => {
    const { at, events } = client('INVITE', true)
    await clock.advance(40_000)
    expect(at).toEqual([0])
    expect(events).toEqual(['terminated 32000', 'timeout 32000'])
  })

  it('is not repeated and not given up after a provisional answer', async () => {
    const { at, events, answer } = client('INVITE')
    await clock.advance(600)
    answer(180)
    await clock.advance(600_000)
    expect(at).toEqual([0, 500])
    expect(events).toEqual(['180 600'])
  })

  it('has its refusal acknowledged, again for every repetition in 32 s (D), and reported once (row 8)', async () => {
    const { messages, events, answer } = client('INVITE')
    answer(486)
    await clock.advance(31_999)
    answer(486)
    await clock.advance(2)
    answer(486)
    expect(messages.map((sent) => (sent as SipRequest).method)).toEqual(['INVITE', 'ACK', 'ACK'])
    expect(events).toEqual(['486 0', 'terminated 32000'])
  })

  it('over TCP ends with its refusal (D is 0)', () => {
    const { events, answer } = client('INVITE', true)
    answer(486)
    expect(events).toEqual(['terminated 0', '486 0'])
  })

  it('takes further 2xx for 64·T1 (M, RFC 6026)', async () => {
    const { events, answer } = client('INVITE')
    answer(200)
    await clock.advance(31_000)
    answer(200)
    await clock.advance(1_000)
    answer(200)
    expect(events).toEqual(['200 0', '200 31000', 'terminated 32000'])
  })
})

describe('another request of ours', () => {
  it('is repeated after T1, doubling up to T2 (E), and given up after 64·T1 (F)', async () => {
    const { at, events } = client('OPTIONS')
    await clock.advance(40_000)
    expect(at).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
    expect(events).toEqual(['terminated 32000', 'timeout 32000'])
  })

  it('is repeated every T2 after a provisional answer, and given up at the same moment', async () => {
    const { at, events, answer } = client('OPTIONS')
    await clock.advance(100)
    answer(100)
    await clock.advance(40_000)
    expect(at).toEqual([0, 500, 4_500, 8_500, 12_500, 16_500, 20_500, 24_500, 28_500])
    expect(events).toEqual(['100 100', 'terminated 32000', 'timeout 32000'])
  })

  it('takes in repetitions of its answer for T4 (K), and reports one', async () => {
    const { events, answer } = client('OPTIONS')
    answer(200)
    answer(200)
    await clock.advance(10_000)
    expect(events).toEqual(['200 0', 'terminated 5000'])
  })
})

describe('an INVITE to us', () => {
  it('has its refusal repeated up to T2 apart (G) until 64·T1 are over (H)', async () => {
    const { at, events, respond } = server('INVITE')
    respond(486)
    await clock.advance(40_000)
    expect(at).toEqual([0, 500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
    expect(events).toEqual(['terminated 32000', 'timeout 32000'])
  })

  it('takes in ACKs for T4 after the first (I)', async () => {
    const { at, events, respond, transaction } = server('INVITE')
    respond(486)
    await clock.advance(700)
    expect([transaction.acknowledge(), transaction.acknowledge()]).toEqual([true, true])
    await clock.advance(40_000)
    expect(at).toEqual([0, 500])
    expect(events).toEqual(['terminated 5700'])
  })

  it('gives an ACK of its 2xx to the dialog, even with the branch of the INVITE', () => {
    const { respond, transaction } = server('INVITE')
    respond(200)
    expect(transaction.acknowledge()).toBe(false)
  })

  it('that comes again gets the last provisional answer again, and no 2xx', () => {
    const { messages, respond, transaction } = server('INVITE')
    respond(180)
    transaction.repeat()
    respond(200)
    transaction.repeat()
    expect(messages.map((sent) => sent.kind === 'response' && sent.status)).toEqual([180, 180, 200])
  })
})

it('another request to us gets its answer again for 64·T1 (J); over TCP it is over at once', async () => {
  const { messages, events, respond, transaction } = server('OPTIONS')
  respond(200)
  transaction.repeat()
  await clock.advance(33_000)
  expect(messages).toHaveLength(2)
  expect(events).toEqual(['terminated 32000'])
  const byTcp = server('OPTIONS', true)
  byTcp.respond(200)
  expect(byTcp.events).toEqual(['terminated 33000'])
})

it('a 2xx of ours is repeated from T1 to T2 until its ACK, over TCP too, and the call ended after 64·T1 (row 2)', async () => {
  const { at, events, note } = recorder()
  const parts = { after: clock.after, sequence: 1, onTimeout: note('timeout'), onAck: note('ack') }
  untilAck({ ...parts, send: () => void at.push(clock.now) })
  await clock.advance(40_000)
  expect(at).toEqual([500, 1_500, 3_500, 7_500, 11_500, 15_500, 19_500, 23_500, 27_500, 31_500])
  expect(events).toEqual(['timeout 32000'])
})
