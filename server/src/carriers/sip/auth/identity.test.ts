// Who calls whom, as carriers and PBXs write it (rows 19, 20 and 21).
import { describe, expect, it } from 'vitest'
import type { Trunk } from '../../../ports/trunk.ts'
import { type Header, noBody, type SipRequest } from '../message/message.ts'
import { calledOf, callerOf, isSameNumber, variablesOf } from './identity.ts'

const invite = (uri: string, headers: Record<string, string>): SipRequest => ({
  kind: 'request',
  method: 'INVITE',
  uri,
  headers: Object.entries(headers).map(([name, value]): Header => ({ name, value })),
  body: noBody,
})
const diverted = '<sip:+4930901820@t?Reason=SIP%3Bcause%3D302>;index=1, <sip:+4930901899@us>;index=1.1'
const from = { From: '"Ada" <sip:+15551234567@trunk.example>;tag=1' }
const caller = (headers: Record<string, string>, isTrusted = true) =>
  callerOf(invite('sip:x@y', { ...from, ...headers }), isTrusted)

describe('the caller', () => {
  it.each<[string, Record<string, string>, string | null]>([
    ['is in From', {}, '+15551234567'],
    ['is asserted by a trunk', { 'P-Asserted-Identity': '<sip:+441632960001@t.example>' }, '+441632960001'],
    [
      'is the number of two identities',
      { 'P-Asserted-Identity': '<sip:ada@t.example>, <tel:+441632960001>' },
      '+441632960001',
    ],
    [
      'is in Remote-Party-ID',
      { 'Remote-Party-Id': '<sip:0041446681800@t.example>;party=calling' },
      '+41446681800',
    ],
    ['is withheld by Privacy', { Privacy: 'id', 'P-Asserted-Identity': '<sip:+441632960001@t>' }, null],
    ['is anonymous', { From: '"Anonymous" <sip:anonymous@anonymous.invalid>;tag=1' }, null],
    ['is written with separators', { From: '<sip:+1(555)123-4567@t.example>;tag=1' }, '+15551234567'],
    ['is a name', { From: '<sip:ada@t.example>;tag=1' }, 'ada'],
  ])('%s', (_, headers, number) => expect(caller(headers).number).toBe(number))

  it('is not believed what somebody without a trunk asserts', () =>
    expect(caller({ 'P-Asserted-Identity': '<sip:+1999@t.example>' }, false).number).toBe('+15551234567'))
})

const trunk = (number: string) => ({ id: number, number }) as Trunk
const ours = [trunk('+4930901820'), trunk('+4930901821')]

describe('the called number', () => {
  it.each<[string, string, Record<string, string>, string | null]>([
    ['is in the address of the request', 'sip:+4930901821@us', {}, '+4930901821'],
    ['is in a tel address, with separators', 'tel:+49-30-901821', {}, '+4930901821'],
    ['is national there', 'sip:030901820@us', {}, '+4930901820'],
    ['is without its plus', 'sip:4930901821@us;user=phone', {}, '+4930901821'],
    [
      'is in To, where the request names our Contact',
      'sip:secret@us',
      { To: '<sip:+4930901821@trunk>' },
      '+4930901821',
    ],
    [
      'is the one that was diverted to us',
      'sip:pbx@us',
      { To: '<sip:pbx@t>', Diversion: '<sip:+4930901820@t>;reason=no-answer' },
      '+4930901820',
    ],
    [
      'is the first of the History-Info, where that is ours',
      'sip:pbx@us',
      { To: '<sip:pbx@t>', 'History-Info': diverted },
      '+4930901820',
    ],
    ['is none of several', 'sip:+4999@us', { To: '<sip:+4999@t>' }, null],
  ])('%s', (_, uri, headers, number) =>
    expect(calledOf(invite(uri, headers), ours, 'secret').trunk?.number ?? null).toBe(number),
  )

  it('is anything, where the trunk has one number', () =>
    expect(calledOf(invite('sip:0800123@us', {}), [trunk('+4930901820')], null)).toMatchObject({
      trunk: { number: '+4930901820' },
      called: '0800123',
    }))

  it('is the id of an agent, where there is no trunk', () =>
    expect(calledOf(invite('sip:7d0c9d3a@us', {}), [], null)).toEqual({ trunk: null, called: '7d0c9d3a' }))

  it('is not recognised by its last few digits', () =>
    expect(isSameNumber('+4930901820', '1820')).toBe(false))
})

describe('variables', () => {
  it('are the name, the diversion and X- headers, without control characters and no longer than 256', () =>
    expect(
      variablesOf(
        invite('sip:x@y', {
          Diversion: '<sip:+4930901820@t>;reason=user-busy',
          'X-Customer-Id': 'a\u0007b',
          'X-Long': 'x'.repeat(1_000),
          Subject: 'not one',
        }),
        'Ada',
      ),
    ).toEqual({
      caller_name: 'Ada',
      diverted_from: '+4930901820',
      diversion_reason: 'user-busy',
      x_customer_id: 'a b',
      x_long: 'x'.repeat(256),
    }))

  it('have who was called first from the History-Info, which ends with who is called now (row 20)', () => {
    const variables = (history: string) => variablesOf(invite('sip:x@y', { 'History-Info': history }), null)
    expect(variables(diverted)).toEqual({ diverted_from: '+4930901820' })
    expect(variables('<sip:+4930901899@us>;index=1')).toEqual({})
  })

  it('are twenty headers at most', () => {
    const many = Object.fromEntries(Array.from({ length: 50 }, (_, place) => [`X-H${place}`, 'v']))
    expect(Object.keys(variablesOf(invite('sip:x@y', many), null))).toHaveLength(20)
  })
})
