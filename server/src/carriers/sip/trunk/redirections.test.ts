// Where redirections of a trunk may lead: hosts, numbers as trunks write them, and what pretends to be neither.
import { describe, expect, it } from 'vitest'
import { trunkOf } from '../../../../test/props/sip/trunk.ts'
import type { Trunk } from '../../../ports/trunk.ts'
import { type DestinationPolicy, mayDial } from '../../../resources/destinations/destinations.ts'
import { redirectedTo } from './redirections.ts'

const policy: DestinationPolicy = {
  simulated: false,
  countries: ['DE', 'US'],
  prefixes: [],
  hosts: ['sbc.willow.example'],
  users: [],
}
const allows = (to: string) => mayDial(to, policy).is === 'allowed'

const follow = (address: string, more: Partial<Trunk> = {}) => {
  const trunk = trunkOf({ host: 'sbc.willow.example', ...more })
  const book = { at: (host: string) => (host === '198.51.100.8' ? [trunk] : []) }
  return redirectedTo(address, trunk, book, allows)
}

describe('a redirection is followed', () => {
  it.each([
    [
      'to an allowed number',
      'sip:+4917612345678@sbc.willow.example',
      {},
      'sip:+4917612345678@sbc.willow.example',
    ],
    [
      'to another server of the trunk',
      'sip:+4917612345678@198.51.100.8:5090',
      {},
      'sip:+4917612345678@198.51.100.8:5090',
    ],
    ['to an extension', 'sip:204@sbc.willow.example', {}, 'sip:204@sbc.willow.example'],
    ['to a name', 'sip:front-desk@SBC.willow.example', {}, 'sip:front-desk@sbc.willow.example'],
    ['with 00', 'sip:004917612345678@sbc.willow.example', {}, 'sip:+4917612345678@sbc.willow.example'],
    [
      'to digits, where the trunk writes these',
      'sip:4917612345678@sbc.willow.example',
      { numberFormat: 'digits' },
      'sip:4917612345678@sbc.willow.example',
    ],
    [
      'to a national number, where the trunk writes these',
      'sip:017612345678@sbc.willow.example',
      { numberFormat: 'national' },
      'sip:017612345678@sbc.willow.example',
    ],
    [
      'without its headers and parameters',
      'sip:+4917612345678@sbc.willow.example;maddr=192.0.2.9?Replaces=a',
      {},
      'sip:+4917612345678@sbc.willow.example',
    ],
    [
      'by TLS, whatever it asks for',
      'sip:+4917612345678@sbc.willow.example;transport=udp',
      { transport: 'tls' },
      'sip:+4917612345678@sbc.willow.example;transport=tls',
    ],
  ] as const)('%s', (_, address, more, target) => expect(follow(address, more)).toBe(target))
})

describe('a redirection is not followed', () => {
  it.each([
    ['to a premium-rate number', 'sip:+19005550123@sbc.willow.example', {}],
    ['to a country that is not allowed', 'sip:+2348012345678@sbc.willow.example', {}],
    ['to an emergency number', 'sip:112@sbc.willow.example', {}],
    ['to another host', 'sip:+4917612345678@sbc.willow.example.evil.example', {}],
    ['to an address that is not of the trunk', 'sip:+4917612345678@198.51.100.9', {}],
    ['to a tel address', 'tel:+4917612345678', {}],
    ['to a host alone', 'sip:sbc.willow.example', {}],
    ['to digits of which nobody knows the country', 'sip:4917612345678@sbc.willow.example', {}],
    [
      'to digits that are premium rate with their country',
      'sip:19005550123@sbc.willow.example',
      { numberFormat: 'digits' },
    ],
    ['to a national premium-rate number', 'sip:0900312345@sbc.willow.example', { numberFormat: 'national' }],
    ['to a number with a context', 'sip:9005550123;phone-context=+1@sbc.willow.example', {}],
    ['to a number that is hidden in escapes', 'sip:%39005550123@sbc.willow.example', {}],
    ['to a number with letters behind it', 'sip:9005550123x@sbc.willow.example', {}],
    ['to what is no address', 'mailto:somebody@sbc.willow.example', {}],
    ['of a trunk without a host', 'sip:204@sbc.willow.example', { host: null }],
  ] as const)('%s', (_, address, more) => expect(follow(address, more)).toBeNull())
})
