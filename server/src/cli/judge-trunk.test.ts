import type { CallDetail, StoredPhoneNumber } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { judgeNumber, judgeSelfCall, type SelfCall } from './judge-trunk.ts'

const number = {
  phone_number: '+4930901820',
  provider: 'sip',
  status: 'active',
  inbound_agent_id: 'a',
  credentials: { host: 'trunk.example', transport: 'udp', srtp: 'off', register: true, inbound_allow: [] },
} as unknown as StoredPhoneNumber

const call = (codec: string | null, heard: string | undefined, more: object = {}): CallDetail =>
  ({
    call_status: 'completed',
    error_message: null,
    line: { codec, cause: null, quality: null },
    transcript: [{ role: 'agent', content: 'Hello.' }, ...(heard ? [{ role: 'user', content: heard }] : [])],
    ...more,
  }) as unknown as CallDetail

const judged = (out: CallDetail, back: CallDetail | undefined, messages: SelfCall['messages'] = []) =>
  judgeSelfCall({ out, back, messages })
const faults = (found: readonly { step: string; ok: boolean }[]) =>
  found.filter(({ ok }) => !ok).map(({ step }) => step)

describe('a number', () => {
  it('that is complete has no fault', () => expect(faults(judgeNumber(number))).toEqual([]))

  it.each<[string, object, string]>([
    ['is inactive', { status: 'inactive' }, 'number'],
    ['has no agent', { inbound_agent_id: null }, 'agent'],
    ['is of the sandbox', { credentials: null, provider: 'sandbox' }, 'number'],
    ['sends keys readable', { credentials: { ...number.credentials, srtp: 'required' } }, 'srtp'],
  ])('that %s is told so', (_what, more, step) =>
    expect(faults(judgeNumber({ ...number, ...more } as StoredPhoneNumber))).toEqual([step]),
  )
})

describe('a call to itself', () => {
  it('that is heard both ways has no fault', () =>
    expect(faults(judged(call('PCMA/8000', 'Hello.'), call('PCMA/8000', 'Hello.')))).toEqual([]))

  it.each<[string, CallDetail, CallDetail | undefined, string[]]>([
    [
      'is heard in one direction',
      call('PCMA/8000', 'Hello.'),
      call('PCMA/8000', undefined),
      ['heard by them'],
    ],
    ['is heard in the other', call('PCMA/8000', undefined), call('PCMA/8000', 'Hello.'), ['heard by us']],
    ['is answered elsewhere', call('PCMA/8000', 'Hello.'), undefined, ['comes back']],
    ['is refused', call(null, undefined), undefined, ['dials', 'comes back']],
    ['rings and is not answered', call(null, undefined), call(null, undefined), ['dials']],
  ])('that %s is told so', (_what, out, back, steps) => expect(faults(judged(out, back))).toEqual(steps))

  it('names what the trunk said', () => {
    const line = { codec: null, quality: null, cause: { protocol: 'sip', code: '403', text: 'Forbidden' } }
    const [dials] = judged(call(null, undefined, { line, call_status: 'failed' }), undefined)
    expect(dials?.message).toContain('The trunk said: 403 Forbidden.')
  })

  it('tells sound without words from no sound', () => {
    const hello = call('PCMA/8000', 'Hello.')
    const line = { codec: 'PCMA/8000', cause: null, quality: { packets_received: 70 } }
    const message = (one: CallDetail) =>
      judged(one, hello).find(({ step }) => step === 'heard by us')?.message
    expect(message(call('PCMA/8000', undefined, { line }))).toContain('70 packets of sound came')
    expect(message(call('PCMA/8000', undefined))).toContain('No sound came.')
  })

  const answered = (via: string): SelfCall['messages'] => [
    { direction: 'out', text: 'INVITE sip:x SIP/2.0\r\nVia: SIP/2.0/UDP 10.0.0.7:5060;branch=z9hG4bKx\r\n' },
    { direction: 'in', text: `SIP/2.0 100 Trying\r\nVia: ${via}\r\n` },
  ]
  it.each<[string, string, string | undefined, boolean, string]>([
    [
      'the address that we give',
      'SIP/2.0/UDP 10.0.0.7:5060;rport=5060;received=10.0.0.7',
      'Hello.',
      true,
      '10.0.0.7',
    ],
    [
      'another one, without sound',
      'SIP/2.0/UDP 10.0.0.7:5060;received=203.0.113.9;rport=1026',
      undefined,
      false,
      'Set PARLEY_SIP_ADDRESS to 203.0.113.9.',
    ],
    [
      'another one, and is heard all the same',
      'SIP/2.0/TLS [2001:db8::7]:5061;received=2001:db8::9',
      'Hello.',
      true,
      'It copes',
    ],
  ])('says that the trunk sees us at %s', (_what, via, words, ok, text) => {
    const one = call('PCMA/8000', words)
    const found = judged(one, one, answered(via)).find(({ step }) => step === 'nat')
    expect(found).toMatchObject({ ok, message: expect.stringContaining(text) })
  })
})
