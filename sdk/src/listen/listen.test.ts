// The development receiver over a real socket, in this process.
import { randomUUID } from 'node:crypto'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { signWebhook } from '../webhooks/sign.ts'
import { attemptCounter } from './attempts.ts'
import { type Listening, type ListenOptions, listen } from './listen.ts'

const secret = 'whsec_listen'
const lines: string[] = []
let listening: Listening
afterEach(async () => {
  await listening?.close()
  lines.length = 0
})

async function open(change: Partial<ListenOptions> = {}) {
  const options = { secret, host: '127.0.0.1', port: 0, delayMs: 0, show: 'json', full: false } as const
  listening = await listen({ ...options, ...change }, (text) => lines.push(text))
}

const sample = (data: object = { session_id: 's-1', call_status: 'completed' }) =>
  JSON.stringify({ id: randomUUID(), type: 'call.completed', created_at: '2026-01-01T00:00:00Z', data })

const send = (body: string, headers: Record<string, string> = {}) =>
  fetch(listening.url, { method: 'POST', body, headers: { ...signWebhook({ body, secret }), ...headers } })

const shown = () => lines.map((line) => JSON.parse(line))

it('answers 200 to what verifies and 400 to what does not, and shows both', async () => {
  await open()
  const delivery = { 'x-svc-delivery-id': 'd-1', 'x-svc-event': 'call.completed', 'x-svc-webhook-id': 'w-1' }
  expect((await send(sample(), delivery)).status).toBe(200)
  expect((await send(sample(), { 'x-svc-timestamp': '1' })).status).toBe(400)
  expect(shown()).toEqual([
    expect.objectContaining({
      event: 'call.completed',
      webhook_id: 'w-1',
      delivery_id: 'd-1',
      attempt: 1,
      verified: true,
      reason: null,
      answered: 200,
      call_status: 'completed',
      session_id: 's-1',
    }),
    expect.objectContaining({
      delivery_id: null,
      attempt: null,
      verified: false,
      reason: 'timestamp-mismatch',
      answered: 400,
      session_id: null,
    }),
  ])
})

it('counts the attempts of a delivery while it fails them', async () => {
  await open({ failStatus: 503 })
  for (const id of ['d-1', 'd-2', 'd-1', 'd-1']) {
    expect((await send(sample(), { 'x-svc-delivery-id': id })).status).toBe(503)
  }
  expect(shown().map(({ delivery_id, attempt }) => [delivery_id, attempt])).toEqual([
    ['d-1', 1],
    ['d-2', 1],
    ['d-1', 2],
    ['d-1', 3],
  ])
})

it('shows the whole event on request, and never a body that did not verify', async () => {
  await open({ full: true })
  const body = sample()
  await send(body)
  await send(body, { 'x-svc-signature': 'nonsense' })
  expect(shown().map((line) => line.body)).toEqual([JSON.parse(body), null])
})

it('shows a delivery before it waits, and answers after', async () => {
  await open({ delayMs: 1 })
  expect((await send(sample())).status).toBe(200)
  await listening.close()
  await open({ delayMs: 60_000 })
  const answer = send(sample()).catch(() => 'no answer')
  await expect.poll(() => lines.length).toBe(2)
  await listening.close()
  expect(await answer).toBe('no answer')
})

describe('in text', () => {
  it('has one line for each delivery, with the event below it on request', async () => {
    await open({ show: 'text', full: true })
    await send(sample(), { 'x-svc-event': 'call.completed', 'x-svc-delivery-id': 'd-1' })
    await send(sample(), { 'x-svc-timestamp': '1' })
    const [first, second] = lines
    expect(first).toMatch(
      /^\S+Z {2}call\.completed {2}delivery d-1 {2}attempt 1 {2}✔ verified {2}call_status completed {2}session_id s-1 {2}→ 200\n\{\n {2}"id"/,
    )
    expect(second).toMatch(/^\S+Z {2}– {2}delivery – {2}attempt – {2}✘ timestamp-mismatch {2}→ 400$/)
  })

  it('lets no control characters reach the terminal', async () => {
    await open({ show: 'text', full: true })
    await send(sample({ session_id: '\u001b[2J\u009b2J' }), { 'x-svc-event': '\u009b2J' })
    expect(lines[0]).toContain('session_id �[2J�2J')
    expect(lines[0]).not.toMatch(/[\p{Cc}--\n]/v)
  })
})

describe('takes no more than', () => {
  const mebibyte = 1024 * 1024

  it('1 MB', async () => {
    await open()
    expect((await send(sample().padEnd(mebibyte))).status).toBe(200)
    expect((await send(sample().padEnd(mebibyte + 1))).status).toBe(413)
    expect(shown()[1]).toMatchObject({ verified: false, reason: 'body-too-large', answered: 413 })
  })

  it('a POST', async () => {
    await open()
    const answer = await fetch(listening.url)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST'])
    expect(lines).toEqual([])
  })

  it('a whole request: one that is broken off is not shown, and the next one is', async () => {
    await open()
    const socket = connect(Number(new URL(listening.url).port), '127.0.0.1')
    const closed = new Promise((resolve) => socket.once('close', resolve))
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 9\r\nexpect: 100-continue\r\n\r\nhalf')
    socket.once('data', () => socket.destroy())
    await closed
    expect((await send(sample())).status).toBe(200)
    expect(lines).toHaveLength(1)
  })
})

it('forgets the delivery ids seen longest ago', () => {
  const attemptOf = attemptCounter()
  attemptOf('first')
  attemptOf('second')
  for (let n = 0; n < 9_998; n++) attemptOf(`other ${n}`)
  expect(attemptOf('second')).toBe(2)
  attemptOf('one more')
  expect([attemptOf('second'), attemptOf('first')]).toEqual([3, 1])
})
