// How our calls present themselves to a trunk (rows 18, 20 and 21).
import { expect, it } from 'vitest'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { addressesOf } from './outgoing-addresses.ts'

const trunk = trunkOf({ host: 'sip.trunk.example' })

it('calls a number at the trunk, from its own', () =>
  expect(addressesOf(trunk, '+15551234567', null)).toEqual({
    to: 'sip:+15551234567@sip.trunk.example',
    from: '<sip:+4930901820@sip.trunk.example>',
    headers: [],
    routes: [],
  }))

it.each<[Trunk['numberFormat'], string, string]>([
  ['digits', '+4989123456', '4989123456'],
  ['national', '+4989123456', '089123456'],
  ['national', '+14155552671', '0014155552671'],
  ['national', '+999123', '999123'],
])('writes numbers as the trunk wants them: %s, %s', (numberFormat, to, user) =>
  expect(addressesOf({ ...trunk, numberFormat }, to, null)).toMatchObject({
    to: `sip:${user}@sip.trunk.example`,
    from: '<sip:+4930901820@sip.trunk.example>',
  }),
)

it('names port and transport where they are set', () =>
  expect(addressesOf({ ...trunk, port: 5070, transport: 'tls' }, '+1555', null)?.to).toBe(
    'sip:+1555@sip.trunk.example:5070;transport=tls',
  ))

it.each(['P-Asserted-Identity', 'P-Preferred-Identity'] as const)(
  'has the account in From and the number in %s, where the trunk wants that',
  (identityHeader) =>
    expect(addressesOf({ ...trunk, fromUser: 'account7', identityHeader }, '+1555', null)).toMatchObject({
      from: '<sip:account7@sip.trunk.example>',
      headers: [{ name: identityHeader, value: '<sip:+4930901820@sip.trunk.example>' }],
    }),
)

it('carries the headers of the trunk, such as a Diversion (row 20)', () =>
  expect(
    addressesOf(
      { ...trunk, headers: { diversion: '<sip:+4930901821@us>', 'x-account': '7' } },
      '+1555',
      null,
    ),
  ).toMatchObject({
    headers: [
      { name: 'Diversion', value: '<sip:+4930901821@us>' },
      { name: 'X-Account', value: '7' },
    ],
  }))

it('is anonymous with Privacy: id, and the trunk still learns who calls', () =>
  expect(addressesOf({ ...trunk, headers: { privacy: 'id' } }, '+1555', null)).toMatchObject({
    from: '"Anonymous" <sip:anonymous@anonymous.invalid>',
    headers: [
      { name: 'P-Asserted-Identity', value: '<sip:+4930901820@sip.trunk.example>' },
      { name: 'Privacy', value: 'id' },
    ],
  }))

it('reaches a SIP address of somebody else through the trunk, without the headers in it', () =>
  expect(addressesOf(trunk, 'sip:bob@elsewhere.example?Replaces=x', null)).toMatchObject({
    to: 'sip:bob@elsewhere.example',
    routes: ['<sip:sip.trunk.example;lr>'],
  }))

it('cannot call what is no address', () => expect(addressesOf(trunk, 'sip:', null)).toBeNull())

it('calls an address at its own host by its own port, unless the address names another', () => {
  const own = { ...trunk, port: 5070 }
  expect(addressesOf(own, 'sip:ada@sip.trunk.example', null)).toMatchObject({
    to: 'sip:ada@sip.trunk.example',
    routes: ['<sip:sip.trunk.example:5070;lr>'],
  })
  expect(addressesOf(own, 'sip:ada@sip.trunk.example:5080', null)).toMatchObject({ routes: [] })
})
