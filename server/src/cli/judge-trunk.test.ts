import type { CallDetail, StoredPhoneNumber } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import { judgeNumber, judgeSelfCall } from './judge-trunk.ts'

const number = {
  ...{ phone_number: '+4930901820', provider: 'sip', status: 'active', inbound_agent_id: 'a' },
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
    expect(faults(judgeSelfCall(call('PCMA/8000', 'Hello.'), call('PCMA/8000', 'Hello.')))).toEqual([]))

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
  ])('that %s is told so', (_what, out, back, steps) =>
    expect(faults(judgeSelfCall(out, back))).toEqual(steps),
  )

  it('names what the trunk said', () => {
    const line = { codec: null, quality: null, cause: { protocol: 'sip', code: '403', text: 'Forbidden' } }
    const [dials] = judgeSelfCall(call(null, undefined, { line, call_status: 'failed' }), undefined)
    expect(dials?.message).toContain('The trunk said: 403 Forbidden.')
  })
})
