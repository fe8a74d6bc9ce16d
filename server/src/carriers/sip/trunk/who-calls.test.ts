// Whom a call is believed to be from, by the way it came (rows 19 and 48).
import { expect, it } from 'vitest'
import { requestOf } from '../../../../test/props/sip/agents.ts'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { AddressList } from './address-list.ts'
import { whoCalls } from './who-calls.ts'

const trunk = trunkOf()
const peer = { transport: 'udp', address: '192.0.2.7', port: 5060 } as const
const request = requestOf('INVITE', {
  From: '<sip:+15550001@far.example>;tag=b',
  To: `<sip:${trunk.number}@us.example>`,
  'P-Asserted-Identity': '<sip:+15550002@far.example;verstat=TN-Validation-Passed>',
})
const calls = ({ at = [], login = null }: { at?: Trunk[]; login?: Trunk | null }) =>
  whoCalls({ request, peer }, { ofContact: () => [], at: () => at }, new AddressList([peer.address]), login)

it.each([
  ['a trunk', { at: [trunk] }],
  ['whoever has logged in', { login: trunk }],
])('%s is believed who calls, and what was verified', (_, way) =>
  expect(calls(way)).toMatchObject({
    trunkId: trunk.id,
    caller: '+15550002',
    variables: { verstat: 'TN-Validation-Passed' },
  }),
)

it('a telephone of an allowed address is not: it says itself who it is', () => {
  const { trunkId, caller, variables } = calls({}) ?? {}
  expect({ trunkId, caller, variables }).toEqual({ trunkId: null, caller: '+15550001', variables: {} })
})

it('a number asks callers to be verified, but not whoever has logged in', () => {
  const strict = trunkOf({ callerVerification: 'require' })
  expect([calls({ at: [strict] }), calls({ login: strict }), calls({})].map((who) => who?.policy)).toEqual([
    ...['require', 'off', 'off'],
  ])
})
