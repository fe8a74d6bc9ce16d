// RFC 4475 and RFC 5118: every message meets the user agent, gets the answers that it is owed, and leaves it as it was.
import { describe, expect, it } from 'vitest'
import { alice, atAlice, requestOf, Telephony } from '../../../../test/props/sip/agents.ts'
import {
  invalid,
  ipv6,
  responses,
  semantic,
  type Torture,
  valid,
} from '../../../../test/props/sip/torture.ts'
import { StreamFramer } from '../transport/stream-framer.ts'
import { parseNameAddress, parseVia } from './headers.ts'
import { elementsOf, headerOf, type SipMessage } from './message.ts'
import { parseMessage } from './parse.ts'

async function meet({ text }: Torture): Promise<number[]> {
  const telephony = new Telephony()
  const peer = telephony.peer()
  const us = telephony.agent(alice, (arriving) => arriving.ring())
  peer.sendText(text, atAlice)
  await telephony.clock.advance(100)
  const answers = peer.responses().map(({ status }) => status)
  // It still answers whoever asks properly, and forgets what it was sent.
  peer.send(requestOf('OPTIONS', {}, { branch: 'z9hG4bKafterwards' }), atAlice)
  await telephony.clock.advance(100)
  expect(peer.responses().at(-1)?.status).toBe(200)
  await telephony.clock.advance(4_000_000)
  expect(us.transactions - us.calls).toBe(0)
  return answers
}

describe.each([
  ['valid', valid],
  ['invalid', invalid],
  ['of the layers above', semantic],
  ['IPv6', ipv6],
  ['answers', responses],
])('%s', (_, messages) => {
  it.each(messages.map((message) => [message.section, message.about, message] as const))(
    '%s: %s',
    async (_section, _about, message) => {
      expect(await meet(message)).toEqual(message.answers)
    },
  )
})

const read = (text: string) => parseMessage(new TextEncoder().encode(text.replaceAll('\n', '\r\n')))
const find = (section: string) =>
  read([...valid, ...responses, ...ipv6].find((one) => one.section === section)?.text ?? '') as SipMessage

describe('what is in them', () => {
  it('reasons (3.1.1.12, 3.1.1.13)', () => {
    expect(find('4475 3.1.1.12')).toMatchObject({ status: 200, reason: expect.stringContaining('простое') })
    expect(find('4475 3.1.1.13')).toMatchObject({ status: 100, reason: '' })
  })

  it('a name right before its address (3.1.1.6)', () => {
    expect(parseNameAddress(headerOf(find('4475 3.1.1.6'), 'From') ?? '')).toMatchObject({
      displayName: 'caller',
    })
  })

  it('semicolons in a user (3.1.1.9)', () => {
    const message = find('4475 3.1.1.9')
    expect(message.kind === 'request' && parseNameAddress(`<${message.uri}>`)?.uri).toMatchObject({
      user: 'user;par=u@example.net',
    })
  })

  it('received with and without brackets (5118 4.5)', () => {
    expect(elementsOf(find('5118 4.5'), 'Via').map(parseVia)).toMatchObject([{ host: '2001:db8::9:1' }])
  })
})

describe('a hostile length', () => {
  // A pattern that looks back over what it has read takes hours for these; each must be read in no time to speak of.
  const spaces = ' '.repeat(60_000)
  it.each([
    ['From', `a${spaces}b`],
    ['From', `"${'\\'.repeat(60_000)}`],
    ['To', `<${spaces}`],
    ['Via', `SIP/2.0/UDP host${spaces}x`],
    ['Via', `SIP/2.0/UDP h${' :'.repeat(30_000)}`],
    ['Contact', '<'.repeat(60_000)],
    ['Contact', `${'"'.repeat(60_000)}`],
    ['CSeq', `1${spaces}x`],
    ['Route', `${',<sip:a>'.repeat(8_000)}`],
    ['Authorization', `Digest ${'a="'.repeat(20_000)}`],
    ['Session-Expires', `90${';'.repeat(60_000)}`],
    ['Replaces', `a${';to-tag=1'.repeat(6_000)}`],
    ['Content-Type', `multipart/mixed;${spaces}boundary`],
    ['Reason', `Q.850${spaces};cause`],
  ])('in %s', async (name, value) => {
    const telephony = new Telephony()
    const peer = telephony.peer()
    telephony.agent(alice)
    peer.send(requestOf('INVITE', { [name]: value }), atAlice)
    await telephony.clock.advance(100)
    expect(peer.responses().length).toBeLessThanOrEqual(2)
  })
})

describe('a stream', () => {
  const one = 'OPTIONS sip:a SIP/2.0\r\nVia: SIP/2.0/TCP a\r\nContent-Length:\r\n  4\r\n\r\nbody'
  function frame(chunks: readonly string[]) {
    const seen: string[] = []
    const framer = new StreamFramer({
      onMessage: (bytes) => void seen.push(new TextDecoder().decode(bytes)),
      onPing: () => void seen.push('ping'),
      onPong: () => void seen.push('pong'),
      onBroken: (reason) => void seen.push(reason),
    })
    for (const chunk of chunks) framer.push(new TextEncoder().encode(chunk))
    return { seen, framer }
  }

  it('is cut into its messages, however it arrives (row 23)', () => {
    const text = `${one}\r\n\r\n${one}\r\n${one}`
    const whole = [one, 'ping', one, 'pong', one]
    expect(frame([text]).seen).toEqual(whole)
    const bytewise = frame([...text]).seen
    expect(bytewise.filter((seen) => seen === one)).toHaveLength(3)
    for (let cut = 1; cut < one.length; cut++)
      expect(frame([one.slice(0, cut), one.slice(cut)]).seen).toEqual([one])
  })

  it('without a length, or with one that is too long, is broken', () => {
    expect(frame(['OPTIONS sip:a SIP/2.0\r\nVia: x\r\n\r\n']).seen).toEqual([
      'A message over a stream has no Content-Length.',
    ])
    expect(frame(['OPTIONS sip:a SIP/2.0\r\nContent-Length: 99999999\r\n\r\n']).seen).toEqual([
      'A message is too long.',
    ])
    expect(frame(['x'.repeat(70_000)]).seen).toEqual(['The head of a message is too long.'])
  })

  it('waits for the rest of a message that has begun', () => {
    expect(frame([one.slice(0, 20)]).framer.isWaiting).toBe(true)
    expect(frame([one]).framer.isWaiting).toBe(false)
  })
})
