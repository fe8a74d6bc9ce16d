// The record of the messages of a call.
import { expect, it } from 'vitest'
import { type Header, noBody, type SipRequest } from '../message/message.ts'
import { Trace } from './trace.ts'

const peer = { transport: 'udp', address: '2001:db8::1', port: 5060 } as const
const request = (method: string, headers: Record<string, string> = {}, body = ''): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:bob@example.com',
  headers: Object.entries({ 'Call-ID': 'c1', To: '<sip:bob@example.com>', ...headers }).map(
    ([name, value]): Header => ({ name, value }),
  ),
  body: body === '' ? noBody : new TextEncoder().encode(body),
})
const at = new Date(0)

it('keeps no password, no key and no header of a trunk', () => {
  const trace = new Trace((name) => name === 'X-Token')
  const secrets = { Authorization: 'Digest response="abc"', 'X-Token': 't0ken' }
  trace.add(
    'out',
    request('INVITE', secrets, 'a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:S3cret|2^20\r\n'),
    peer,
    at,
  )
  const { messages } = trace.take('c1')
  expect(messages[0]).toMatchObject({ direction: 'out', transport: 'udp', peer: '[2001:db8::1]:5060' })
  expect(messages[0]?.text).toContain('a=crypto:1 AES_CM_128_HMAC_SHA1_80 inline:(removed)|2^20')
  expect(messages[0]?.text).not.toMatch(/abc|t0ken|S3cret/)
})

it('keeps a hundred messages and counts the others', () => {
  const trace = new Trace(() => false)
  for (let count = 0; count < 130; count++) trace.add('in', request('INVITE'), peer, at)
  const { messages, leftOut } = trace.take('c1')
  expect([messages.length, leftOut]).toEqual([100, 30])
  expect(trace.take('c1').messages).toEqual([])
})

it('keeps nothing that is no call', () => {
  const trace = new Trace(() => false)
  trace.add('out', request('OPTIONS'), peer, at)
  trace.add('in', request('BYE', { To: '<sip:bob@example.com>;tag=1' }), peer, at)
  expect(trace.take('c1').messages).toEqual([])
})
