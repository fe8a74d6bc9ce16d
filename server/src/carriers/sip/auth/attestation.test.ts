// What the network says about a caller's number (row 48).
import { expect, it } from 'vitest'
import { requestOf } from '../../../../test/props/sip/agents.ts'
import { attestationOf } from './attestation.ts'
import { callerOf } from './identity.ts'

const now = new Date('2026-05-04T12:00:00Z')
const coded = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
const identity = (claims: object = {}) => {
  const whole = {
    attest: 'A',
    iat: now.getTime() / 1_000 - 10,
    orig: { tn: '15551234567' },
    dest: { tn: ['4930901820'] },
    origid: '123e4567-e89b-12d3-a456-426655440000',
    ...claims,
  }
  const header = coded({ alg: 'ES256', ppt: 'shaken', typ: 'passport', x5u: 'https://cert.example/a.pem' })
  return `${header}.${coded(whole)}.c2lnbmF0dXJl;info=<https://cert.example/a.pem>;alg=ES256;ppt=shaken`
}
const call = { From: '<sip:+15551234567@carrier.example>;tag=b', To: '<sip:+4930901820@parley.example>' }
const attested = (headers: Record<string, string>, isTrusted = true) =>
  attestationOf(requestOf('INVITE', { ...call, ...headers }), { isTrusted, now })

it('is nothing where nothing was said', () => expect(attested({})).toEqual({}))

it('is what a trunk says of the number, wherever it writes that; of strangers it is not believed', () => {
  const verstat = { verstat: 'TN-Validation-Passed' }
  const inUri = { 'P-Asserted-Identity': '<sip:+15551234567@c.example;verstat=TN-Validation-Passed>' }
  const inUser = {
    'P-Asserted-Identity': '<sip:+15551234567;verstat=TN-Validation-Passed@c.example;user=phone>',
  }
  const inHeader = { From: '<sip:+15551234567@c.example>;verstat=TN-Validation-Passed;tag=b' }
  for (const headers of [inUri, inUser, inHeader]) expect(attested(headers)).toEqual(verstat)
  expect(attested(inUri, false)).toEqual({})
  // The number is the number, with or without it.
  expect(callerOf(requestOf('INVITE', { ...call, ...inUser }), true).number).toBe('+15551234567')
})

it('is what the carrier of the caller claims, if that fits the call, and named unverified', () =>
  expect(attested({ Identity: identity() }, false)).toEqual({
    unverified_attestation: 'A',
    unverified_origid: '123e4567-e89b-12d3-a456-426655440000',
  }))

it.each([
  ['a claim of an hour ago', identity({ iat: now.getTime() / 1_000 - 3_600 }), 'expired'],
  ['a claim about another number', identity({ orig: { tn: '15550000000' } }), 'another caller'],
  ['a claim for somebody else', identity({ dest: { tn: ['4930000000'] } }), 'another destination'],
  ['no claim at all', 'nonsense', 'unreadable'],
  ['a claim that nobody makes', identity({ attest: 'Z' }), 'unreadable'],
])('says what is wrong with %s', (_, value, fault) =>
  expect(attested({ Identity: value })).toEqual({ identity_fault: fault }),
)
