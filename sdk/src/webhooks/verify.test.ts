// Every rule of the signature; then arbitrary deliveries; then an independent implementation.
import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import Stripe from 'stripe'
import { describe, expect, it } from 'vitest'
import { readHeader } from './header.ts'
import { signWebhook } from './sign.ts'
import { WebhookVerificationError } from './verification-error.ts'
import { type VerifyWebhook, verifyWebhook } from './verify.ts'

const secret = 'whsec_test'
const t = 1_700_000_000
const now = () => t * 1000
const body =
  '{"id":"0b0f6f0e-5a0c-4c58-9d3e-0d6a2b8f7c11","type":"call.completed","created_at":"2023-11-14T22:13:20.000Z","data":{"session_id":"café"}}'
// From Python's hmac module over the same bytes.
const hex = 'b5f825ef12a8b24f775a528bbb7014d3e3e89f59078196cbbe79d1d061273a2d'
const other = 'ab'.repeat(32)

const headers = (signature: string, timestamp = String(t)) => ({
  'x-svc-timestamp': timestamp,
  'x-svc-signature': signature,
})
const good = headers(`t=${t},v1=${hex}`)
const verify = (change: Partial<VerifyWebhook> = {}) =>
  verifyWebhook({ body, headers: good, secret, now, ...change })

/** The code of the refusal, or undefined if the delivery is accepted. */
function refusal(change: Partial<VerifyWebhook>): string | undefined {
  try {
    verify(change)
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason
    throw error
  }
}

describe('a delivery is accepted', () => {
  it('and returned as its event', () => {
    expect(verify()).toEqual(JSON.parse(body))
  })

  it.each<[string, Partial<VerifyWebhook>]>([
    ['as bytes', { body: new TextEncoder().encode(body) }],
    ['as a view into a larger buffer', { body: Buffer.from(`..${body}..`).subarray(2, -2) }],
    ['with a Headers object', { headers: new Headers(good) }],
    ['with headers in their written case', { headers: signWebhook({ body, secret, timestamp: t }) }],
    ['with headers in lists of one', { headers: listed(good) }],
    ['with an upper-case signature', { headers: headers(`t=${t},v1=${hex.toUpperCase()}`) }],
    ['when the second of two signatures matches', { headers: headers(`t=${t},v1=${other},v1=${hex}`) }],
    ['when the first of two signatures matches', { headers: headers(`t=${t},v1=${hex},v1=${other}`) }],
    ['with its parts in another order', { headers: headers(`v1=${hex},t=${t}`) }],
    ['when the second of two secrets matches', { secret: ['whsec_new', secret] }],
    ['exactly 300 seconds late', { now: () => (t + 300) * 1000 + 999 }],
    ['exactly 300 seconds early', { now: () => (t - 300) * 1000 }],
    ['later, if more is tolerated', { now: () => (t + 900) * 1000, toleranceSeconds: 900 }],
  ])('%s', (_how, change) => {
    expect(refusal(change)).toBeUndefined()
  })
})

describe('a delivery is refused', () => {
  const signed = (text: string | Uint8Array) => ({
    body: text,
    headers: signWebhook({ body: text, secret, timestamp: t }),
  })

  it.each<[string, Record<string, Partial<VerifyWebhook>>]>([
    [
      'missing-header',
      {
        'no headers': { headers: {} },
        'no signature': { headers: { 'x-svc-timestamp': String(t) } },
        'no timestamp': { headers: { 'x-svc-signature': good['x-svc-signature'] } },
        'an undefined one': { headers: { ...good, 'x-svc-signature': undefined } },
        'an empty list': { headers: { ...good, 'x-svc-timestamp': [] } },
        'no Headers': { headers: new Headers() },
      },
    ],
    [
      'malformed-signature',
      Object.fromEntries(
        [
          '',
          `v1=${hex}`,
          `t=${t}`,
          `t=${t},`,
          `t=${t},v1=`,
          `t=${t},v1=${hex.slice(1)}`,
          `t=${t},v1=${hex}0`,
          `t=${t},v1=${hex.slice(1)}g`,
          `t=${t},v1=${hex},v1=`,
          `t=${t},v1=${hex},v1=${other.slice(1)}`,
          `t=${t},v1=${hex},`,
          `t=${t},v1=${hex},v0=${hex}`,
          `t=${t},v2=${hex}`,
          `t=${t},V1=${hex}`,
          `t=${t},t=${t},v1=${hex}`,
          `t=${t},t=1,v1=${hex}`,
          `t=,v1=${hex}`,
          `t=-${t},v1=${hex}`,
          `t=+${t},v1=${hex}`,
          `t=${t}.0,v1=${hex}`,
          `t=1.7e9,v1=${hex}`,
          `t=0x6553f100,v1=${hex}`,
          `t=${t}, v1=${hex}`,
          ` t=${t},v1=${hex}`,
          `t=${t},v1=${hex}\n`,
          `t=${t};v1=${hex}`,
          hex,
        ].map((signature) => [JSON.stringify(signature), { headers: headers(signature) }]),
      ),
    ],
    [
      'malformed-signature',
      {
        'sent twice': {
          headers: { ...good, 'x-svc-signature': [good['x-svc-signature'], `t=${t},v1=${other}`] },
        },
        'sent in two cases': { headers: { ...good, 'X-Svc-Signature': good['x-svc-signature'] } },
      },
    ],
    [
      'timestamp-mismatch',
      {
        'another second': { headers: headers(`t=${t},v1=${hex}`, String(t + 1)) },
        'the same number written otherwise': { headers: headers(`t=${t},v1=${hex}`, `0${t}`) },
        empty: { headers: headers(`t=${t},v1=${hex}`, '') },
        'sent twice': { headers: { ...good, 'x-svc-timestamp': [String(t), String(t)] } },
      },
    ],
    [
      'timestamp-out-of-tolerance',
      {
        'too old by a second': { now: () => (t + 301) * 1000 },
        'too new by a second': { now: () => (t - 301) * 1000 },
        'too old for a smaller tolerance': { now: () => (t + 11) * 1000, toleranceSeconds: 10 },
        'a clock that has no time': { now: () => Number.NaN },
        'a tolerance that is no number': { toleranceSeconds: Number.NaN },
        'a time beyond all numbers': { headers: headers(`t=${'9'.repeat(400)},v1=${hex}`, '9'.repeat(400)) },
      },
    ],
    [
      'no-matching-signature',
      {
        'another secret': { secret: 'whsec_other' },
        'the secret without its prefix': { secret: 'test' },
        'the secret with a newline': { secret: `${secret}\n` },
        'no secret of several': { secret: ['whsec_a', 'whsec_b'] },
        'a changed body': { body: body.replace('café', 'cafe') },
        'a body written again': { body: JSON.stringify(JSON.parse(body), null, 1) },
        'no body': { body: '' },
        'the time of another signature': { headers: headers(`t=${t + 1},v1=${hex}`, String(t + 1)) },
        'signatures of others only': { headers: headers(`t=${t},v1=${other},v1=${other}`) },
        'a body that would not parse either': { body: '{' },
      },
    ],
    [
      'malformed-body',
      {
        'not JSON': signed('{'),
        empty: signed(''),
        'not UTF-8': signed(Buffer.from(body, 'latin1')),
        null: signed('null'),
        'a list': signed('[]'),
        'text only': signed('"call.completed"'),
        'without an id': signed('{"type":"call.completed","data":{}}'),
        'without data': signed('{"id":"x","type":"call.completed"}'),
        'data that is null': signed('{"id":"x","type":"call.completed","data":null}'),
        'another type': signed('{"id":"x","type":"call.started","data":{}}'),
      },
    ],
  ])('as %s', (reason, cases) => {
    const refusals = Object.entries(cases).map(([name, change]) => [name, refusal(change)])
    expect(refusals).toEqual(Object.keys(cases).map((name) => [name, reason]))
  })

  it('with a sentence and the cause', () => {
    expect(() => verify(signed('{'))).toThrow(
      expect.objectContaining({
        name: 'WebhookVerificationError',
        message: expect.stringContaining('body'),
        cause: expect.any(SyntaxError),
      }),
    )
  })
})

describe('a mistake of the receiver is not a refusal', () => {
  const parsed = JSON.parse(body) as unknown as string
  it.each<[string, Partial<VerifyWebhook>, string]>([
    ['a body that was parsed already', { body: parsed }, 'raw bytes'],
    ['an empty secret', { secret: '' }, 'secret is empty'],
    ['a blank secret among others', { secret: [secret, ' '] }, 'secret is empty'],
    ['no secret at all', { secret: [] }, 'secret is empty'],
    ['an unset secret', { secret: undefined as unknown as string }, 'secret is empty'],
  ])('%s', (_what, change, sentence) => {
    expect(() => verify(change)).toThrow(TypeError)
    expect(() => verify(change)).toThrow(sentence)
  })

  it.each([1.5, -1, Number.NaN])('signing at %d', (timestamp) => {
    expect(() => signWebhook({ body, secret, timestamp })).toThrow(RangeError)
  })
})

describe('any delivery', () => {
  const anySecret = fc.string({ minLength: 1, maxLength: 60 }).map((rest) => `whsec_${rest}`)
  const anyTime = fc.integer({ min: 0, max: 4_102_444_800 })
  const anyBody = fc
    .record({ id: fc.uuid(), data: fc.dictionary(fc.string(), fc.jsonValue()) })
    .map((event) => Buffer.from(JSON.stringify({ ...event, type: 'call.completed' })))
  const anyDelivery = fc.record({ body: anyBody, secret: anySecret, timestamp: anyTime })
  const received = (sent: { body: Uint8Array; secret: string; timestamp: number }) => ({
    ...sent,
    headers: signWebhook(sent),
    now: () => sent.timestamp * 1000,
  })

  it('that is signed verifies, within 300 seconds', () => {
    fc.assert(
      fc.property(anyDelivery, fc.integer({ min: -1000, max: 1000 }), (sent, lateSeconds) => {
        const late = { ...received(sent), now: () => (sent.timestamp + lateSeconds) * 1000 }
        expect(refusal(late)).toBe(Math.abs(lateSeconds) <= 300 ? undefined : 'timestamp-out-of-tolerance')
      }),
    )
  })

  it('is signed with the HMAC that the interface describes', () => {
    fc.assert(
      fc.property(anyDelivery, ({ body, secret, timestamp }) => {
        const text = Buffer.concat([Buffer.from(`${timestamp}.`), body])
        const expected = createHmac('sha256', Buffer.from(secret)).update(text).digest('hex')
        expect(signWebhook({ body, secret, timestamp })['X-Svc-Signature']).toBe(
          `t=${timestamp},v1=${expected}`,
        )
      }),
    )
  })

  /** The text with one byte replaced by another. */
  const changed = (bytes: Buffer, at: number, by: number) => {
    const copy = Buffer.from(bytes)
    const index = at % copy.length
    copy[index] = (copy[index] ?? 0) ^ by
    return copy
  }
  const latin1 = (text: string, at: number, by: number) =>
    changed(Buffer.from(text, 'latin1'), at, by).toString('latin1')

  /** Upper and lower case are the same digest; everything before it is compared as written. */
  const digitsOf = (headers: VerifyWebhook['headers']) => {
    const signature = readHeader(headers, 'x-svc-signature') ?? ''
    return signature.slice(0, -64) + signature.slice(-64).toLowerCase()
  }

  it.each<[string, (sent: ReturnType<typeof received>, at: number, by: number) => Partial<VerifyWebhook>]>([
    ['body', (sent, at, by) => ({ body: changed(sent.body as Buffer, at, by) })],
    [
      'timestamp',
      (sent, at, by) => ({
        headers: { ...sent.headers, 'X-Svc-Timestamp': latin1(sent.headers['X-Svc-Timestamp'], at, by) },
      }),
    ],
    [
      'signature',
      (sent, at, by) => ({
        headers: { ...sent.headers, 'X-Svc-Signature': latin1(sent.headers['X-Svc-Signature'], at, by) },
      }),
    ],
    ['secret', (sent, at, by) => ({ secret: latin1(sent.secret, at, by) })],
  ])('with one byte of its %s changed does not verify', (part, change) => {
    fc.assert(
      fc.property(anyDelivery, fc.nat(), fc.integer({ min: 1, max: 255 }), (delivery, at, by) => {
        const sent = received(delivery)
        const tampered = { ...sent, ...change(sent, at, by) }
        fc.pre(part !== 'signature' || digitsOf(tampered.headers) !== digitsOf(sent.headers))
        expect(refusal(tampered)).toBeTypeOf('string')
      }),
      { numRuns: 500 },
    )
  })

  it('with both timestamps moved alike does not verify', () => {
    fc.assert(
      fc.property(anyDelivery, fc.integer({ min: 1, max: 300 }), (delivery, movedSeconds) => {
        const sent = received(delivery)
        const moved = String(delivery.timestamp + movedSeconds)
        const headers = {
          'x-svc-timestamp': moved,
          'x-svc-signature': sent.headers['X-Svc-Signature'].replace(/^t=\d+/, `t=${moved}`),
        }
        expect(refusal({ ...sent, headers })).toBe('no-matching-signature')
      }),
    )
  })

  it('with any text as signature is refused with a verification error', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (signature) => {
        expect(refusal({ headers: headers(signature) })).toBe('malformed-signature')
      }),
    )
  })
})

describe('the same scheme in another implementation', () => {
  const stripe = new Stripe('sk_test_nobody')

  it('verifies what is signed here', () => {
    const signed = signWebhook({ body, secret })['X-Svc-Signature']
    expect(stripe.webhooks.constructEvent(body, signed, secret)).toEqual(JSON.parse(body))
    expect(stripe.webhooks.constructEvent(Buffer.from(body), signed, secret)).toEqual(JSON.parse(body))
    expect(() => stripe.webhooks.constructEvent(`${body} `, signed, secret)).toThrow('No signatures found')
  })

  it('verifies one of several signatures made here', () => {
    const signed = signWebhook({ body, secret: ['whsec_old', secret] })['X-Svc-Signature']
    expect(stripe.webhooks.constructEvent(body, signed, secret)).toEqual(JSON.parse(body))
  })

  it('signs what verifies here', () => {
    const signature = stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp: t })
    expect(verify({ headers: headers(signature) })).toEqual(JSON.parse(body))
    expect(refusal({ headers: headers(signature), body: `${body} ` })).toBe('no-matching-signature')
  })
})

function listed(single: Record<string, string>): Record<string, string[]> {
  return Object.fromEntries(Object.entries(single).map(([name, value]) => [name, [value]]))
}
