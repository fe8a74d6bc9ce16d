// Signatures of callers' numbers, with certificates that openssl makes (row 48).
import { afterAll, expect, it } from 'vitest'
import { requestOf } from '../../../../test/props/sip/agents.ts'
import {
  Authorities,
  type CertifiedKey,
  identityOf,
  type SignedIdentity,
} from '../../../../test/props/sip/stir.ts'
import { readCertificates } from './stir-certificates.ts'
import { verificationRefusal, verifiedVariables } from './verify-caller.ts'

const authorities = new Authorities()
afterAll(() => authorities.close())
const root = authorities.root()
const between = authorities.between(root)
const provider = authorities.provider(between)
const stranger = authorities.provider(authorities.root())
const customer = authorities.customer(between)
/** A provider is no authority. */
const underProvider = authorities.provider(provider)

const now = new Date()
const x5u = 'https://cert.example/a.pem'
const call = { From: '<sip:+15551234567@carrier.example>;tag=b', To: '<sip:+4930901820@parley.example>' }
const caller = { caller: '+15551234567', called: '+4930901820', variables: { caller_name: 'Bob' } }

interface Case extends Partial<SignedIdentity> {
  /** What the address of the certificate has. null: nothing. */
  readonly served?: readonly CertifiedKey[] | null
  readonly header?: object
  readonly change?: (identity: string) => string
  readonly who?: Partial<typeof caller> | { caller: null }
}

function verified(
  { served, change = (it) => it, who, ...signed }: Case,
  headers: Record<string, string> = {},
) {
  const by = signed.by ?? provider
  const Identity = change(identityOf({ by, x5u, now, ...signed }))
  const chain = served === undefined ? [by, between] : served
  return verifiedVariables(
    requestOf('INVITE', { ...call, Identity, ...headers }),
    { ...caller, ...who },
    {
      anchors: readCertificates(Buffer.from(root.pem)) ?? [],
      certificatesAt: async (url) =>
        url === x5u && chain ? readCertificates(Buffer.from(chain.map(({ pem }) => pem).join(''))) : null,
      now: signed.now ?? now,
    },
  )
}

const passed = {
  caller_name: 'Bob',
  verstat: 'TN-Validation-Passed',
  attestation: 'A',
  origid: '123e4567-e89b-12d3-a456-426655440000',
}

it('a number that a trusted provider has signed for this call is verified, and its attestation is believed', async () => {
  expect(await verified({})).toEqual(passed)
  // What was only claimed is not beside it.
  const claimed = { unverified_attestation: 'A', unverified_origid: 'x', identity_fault: 'expired' }
  expect(await verified({ who: { variables: { ...caller.variables, ...claimed } } })).toEqual(passed)
})

it('a number that is withheld is compared with what the trunk knows', async () => {
  const hidden = { From: '<sip:anonymous@anonymous.invalid>;tag=b', Privacy: 'id' }
  const asserted = { 'P-Asserted-Identity': '<sip:+15551234567@carrier.example>' }
  const who = { caller: null }
  expect(await verified({ who }, { ...hidden, ...asserted })).toEqual(passed)
  expect(await verified({ who }, hidden)).toMatchObject({ identity_fault: 'another caller' })
})

const otherKey = { by: { ...provider, key: stranger.key } }
const later = new Date(now.getTime() + 40 * 86_400_000)
it.each<[string, Case, string]>([
  ['nonsense', { change: () => 'nonsense' }, 'unreadable'],
  ['the compact form', { change: (it) => it.replace(/^[^.]*\.[^.]*/, '.') }, 'unreadable'],
  ['extensions that nobody knows', { header: { crit: ['x'] } }, 'unreadable'],
  ['another algorithm', { header: { alg: 'none' } }, 'unsupported'],
  ['another kind inside', { header: { ppt: 'div' } }, 'unsupported'],
  ['info that is not x5u', { header: { x5u: 'https://other.example/a.pem' } }, 'another certificate'],
  ['no info', { change: (it) => it.replace(/;info=<[^>]*>/, '') }, 'another certificate'],
  ['a signature of two minutes ago', { claims: { iat: now.getTime() / 1_000 - 120 } }, 'expired'],
  ['another caller', { who: { caller: '+15550000000' } }, 'another caller'],
  ['another destination', { who: { called: '+4930000000' } }, 'another destination'],
  ['an authority that nobody trusts', { by: stranger, served: [stranger] }, 'certificate not trusted'],
  ['an authority between that is missing', { served: [provider] }, 'certificate not trusted'],
  ['an expired certificate', { now: later }, 'certificate not trusted'],
  [
    'a certificate by one that may issue none',
    { by: underProvider, served: [underProvider, provider, between] },
    'certificate not trusted',
  ],
  ['a certificate for single numbers', { by: customer }, 'certificate not trusted'],
  ['a certificate of no provider at all', { by: between, served: [between] }, 'certificate not trusted'],
  ['another key', otherKey, 'signature'],
  [
    'claims that were changed',
    {
      change: (it) =>
        it.replace(
          /\.[^.]*\./,
          (identityOf({ by: provider, x5u, now, claims: { attest: 'B' } }).match(/\.[^.]*\./) ?? [''])[0],
        ),
    },
    'signature',
  ],
])('%s fails, with its reason', async (_, one, fault) =>
  expect(await verified(one)).toEqual({
    caller_name: 'Bob',
    verstat: 'TN-Validation-Failed',
    identity_fault: fault,
  }),
)

it('without a signature, or its certificate, nothing is validated; a verdict of the trunk stays', async () => {
  const none = { caller_name: 'Bob', verstat: 'No-TN-Validation' }
  const trunk = { variables: { ...caller.variables, verstat: 'TN-Validation-Passed' } }
  expect(await verified({ served: null })).toEqual({ ...none, identity_fault: 'certificate unavailable' })
  expect(await verified({ served: null, who: trunk })).toMatchObject(trunk.variables)
  // A header of another kind says nothing about the caller's number.
  const change = (it: string) => it.replace('ppt="shaken"', 'ppt="div"')
  expect(await verified({ change })).toEqual(none)
  expect(await verified({ change, who: trunk })).toEqual(trunk.variables)
  // A true verdict of the trunk does not mend a false signature.
  expect(await verified({ ...otherKey, who: trunk })).toMatchObject({ verstat: 'TN-Validation-Failed' })
})

const failed = (fault: string) => ({ verstat: 'TN-Validation-Failed', identity_fault: fault })
const unavailable = { verstat: 'No-TN-Validation', identity_fault: 'certificate unavailable' }
it.each([
  ['verified', { verstat: 'TN-Validation-Passed' }, null, null],
  ['false', failed('signature'), 438, 438],
  ['signed by somebody who is not trusted', failed('certificate not trusted'), 437, 437],
  ['false to the trunk', { verstat: 'TN-Validation-Failed' }, 438, 438],
  ['signed with a certificate that is not to be had', unavailable, null, 436],
  ['not signed', { verstat: 'No-TN-Validation' }, null, 428],
  ['only claimed', { unverified_attestation: 'A' }, null, 428],
])('a number that is %s: what refuse_failed and require answer', (_, variables, refuseFailed, require) => {
  const answers = (['off', 'refuse_failed', 'require'] as const).map((policy) =>
    verificationRefusal(policy, variables),
  )
  expect(answers).toEqual([null, refuseFailed, require])
})
