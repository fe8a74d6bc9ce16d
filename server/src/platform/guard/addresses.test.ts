// Every special-purpose block at its edges, its public neighbours, and a cross-check with plain integers.
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isPublic } from './addresses.ts'

it.each([
  ['this network', ['0.0.0.0', '0.0.0.1', '0.255.255.255']],
  ['private', ['10.0.0.0', '10.1.2.3', '10.255.255.255', '172.16.0.0', '172.31.255.255']],
  ['private (home networks)', ['192.168.0.0', '192.168.1.1', '192.168.255.255']],
  ['carrier-grade NAT', ['100.64.0.0', '100.100.100.200', '100.127.255.255']],
  ['loopback', ['127.0.0.0', '127.0.0.1', '127.1.2.3', '127.255.255.255']],
  ['link-local', ['169.254.0.0', '169.254.169.254', '169.254.170.2', '169.254.255.255']],
  ['cloud host agent', ['168.63.129.16']],
  ['protocol assignments', ['192.0.0.0', '192.0.0.8', '192.0.0.9', '192.0.0.192', '192.0.0.255']],
  ['documentation', ['192.0.2.0', '192.0.2.255', '198.51.100.1', '203.0.113.0', '203.0.113.255']],
  ['AS112 and AMT', ['192.31.196.1', '192.52.193.1', '192.175.48.1']],
  ['6to4 relays', ['192.88.99.0', '192.88.99.1', '192.88.99.255']],
  ['benchmarks', ['198.18.0.0', '198.19.255.255']],
  ['multicast', ['224.0.0.0', '224.0.0.251', '239.255.255.255']],
  ['reserved', ['240.0.0.0', '254.1.2.3', '255.255.255.254']],
  ['broadcast', ['255.255.255.255']],
  ['unspecified IPv6', ['::', '0:0:0:0:0:0:0:0']],
  ['loopback IPv6', ['::1', '0000:0000:0000:0000:0000:0000:0000:0001']],
  ['IPv4-compatible', ['::7f00:1', '::10.0.0.1', '::8.8.8.8']],
  ['IPv4-mapped', ['::ffff:127.0.0.1', '::ffff:7f00:1', '::ffff:8.8.8.8', '::FFFF:A9FE:A9FE']],
  ['IPv4-translated', ['::ffff:0:127.0.0.1']],
  ['NAT64', ['64:ff9b::', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::', '64:ff9b:1:ffff::1']],
  ['discard-only', ['100::', '100::1', '100:0:0:1::1']],
  ['Teredo', ['2001::', '2001:0:ffff::1', '2001::8.8.8.8']],
  ['IPv6 protocol assignments', ['2001:1::1', '2001:2::1', '2001:10::1', '2001:20::1', '2001:1ff:ffff::1']],
  ['IPv6 documentation', ['2001:db8::', '2001:db8:ffff::1', '3fff::', '3fff:fff:ffff::1']],
  ['6to4', ['2002::', '2002:7f00:1::', '2002:a9fe:a9fe::1', '2002:ffff::1']],
  ['AS112 over IPv6', ['2620:4f:8000::', '2620:4f:8000:ffff::1']],
  ['segment routing', ['5f00::', '5f00:ffff::1']],
  ['unique-local', ['fc00::', 'fc00::1', 'fd00:ec2::254', 'fdff:ffff::1']],
  ['link-local IPv6', ['fe80::', 'fe80::1', 'febf:ffff::1']],
  ['site-local', ['fec0::1', 'feff::1']],
  ['multicast IPv6', ['ff00::', 'ff02::1', 'ff0e::1', 'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff']],
  ['never assigned', ['1000::1', '4000::1', '8000::1', 'c000::1', 'e000::1']],
  ['with a zone', ['fe80::1%eth0', '2606:4700::1%lo', '::1%1']],
  [
    'not an address',
    ['', 'localhost', '8.8.8', '08.8.8.8', '0x8.8.8.8', '134744072', '[2606:4700::1]', ' 8.8.8.8'],
  ],
])('%s is not public', (_block, addresses) => {
  expect(addresses.filter(isPublic)).toEqual([])
})

it('addresses between the special-purpose blocks are public', () => {
  const addresses = [
    ['1.0.0.0', '1.1.1.1', '8.8.8.8', '9.255.255.255', '11.0.0.0', '93.184.216.34'],
    ['100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0', '168.63.129.15', '168.63.129.17'],
    ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
    ['192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0', '198.17.255.255'],
    ['198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0', '223.255.255.255'],
    ['2000::', '2001:200::', '2001:db7:ffff::1', '2001:db9::', '2001:4860:4860::8888', '2003::1'],
    ['2606:4700:4700::1111', '2620:4f:7fff::1', '2620:4f:8001::', '2a00:1450::1', '3ffe::1', '3fff:1000::'],
  ].flat()
  expect(addresses.filter((address) => !isPublic(address))).toEqual([])
})

// First and last address of each refused range, from the registries, as integers.
const v4Ranges: [number, number][] = [
  [0x00000000, 0x00ffffff],
  [0x0a000000, 0x0affffff],
  [0x64400000, 0x647fffff],
  [0x7f000000, 0x7fffffff],
  [0xa83f8110, 0xa83f8110],
  [0xa9fe0000, 0xa9feffff],
  [0xac100000, 0xac1fffff],
  [0xc0000000, 0xc00000ff],
  [0xc0000200, 0xc00002ff],
  [0xc01fc400, 0xc01fc4ff],
  [0xc034c100, 0xc034c1ff],
  [0xc0586300, 0xc05863ff],
  [0xc0a80000, 0xc0a8ffff],
  [0xc0af3000, 0xc0af30ff],
  [0xc6120000, 0xc613ffff],
  [0xc6336400, 0xc63364ff],
  [0xcb007100, 0xcb0071ff],
  [0xe0000000, 0xffffffff],
]

// By the first 48 bits; no block is smaller.
const v6Ranges: [number, number][] = [
  [0x0000_0000_0000, 0x1fff_ffff_ffff],
  [0x2001_0000_0000, 0x2001_01ff_ffff],
  [0x2001_0db8_0000, 0x2001_0db8_ffff],
  [0x2002_0000_0000, 0x2002_ffff_ffff],
  [0x2620_004f_8000, 0x2620_004f_8000],
  [0x3fff_0000_0000, 0x3fff_0fff_ffff],
  [0x4000_0000_0000, 0xffff_ffff_ffff],
]

const within = (number: number, ranges: [number, number][]) =>
  ranges.some(([first, last]) => number >= first && number <= last)

/** Anywhere, but more often at the edge of a block. */
const near = (ranges: [number, number][], max: number) =>
  fc.oneof(
    fc.integer({ min: 0, max }),
    fc
      .tuple(fc.constantFrom(...ranges.flat()), fc.integer({ min: -2, max: 2 }))
      .map(([edge, step]) => Math.min(max, Math.max(0, edge + step))),
  )

const runs = { numRuns: 5_000 }

it('agrees with integer ranges about every IPv4 address', () => {
  fc.assert(
    fc.property(near(v4Ranges, 0xffffffff), (number) => {
      const address = [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.')
      expect(isPublic(address), address).toBe(!within(number, v4Ranges))
    }),
    runs,
  )
})

it('agrees with integer ranges about every IPv6 address', () => {
  const tail = fc.array(fc.integer({ min: 0, max: 0xffff }), { minLength: 5, maxLength: 5 })
  fc.assert(
    fc.property(near(v6Ranges, 0xffff_ffff_ffff), tail, (head, rest) => {
      const groups = [head / 2 ** 32, head / 2 ** 16, head].map((number) => Math.floor(number) % 2 ** 16)
      const address = [...groups, ...rest].map((group) => group.toString(16)).join(':')
      expect(isPublic(address), address).toBe(!within(head, v6Ranges))
    }),
    runs,
  )
})

it('never accepts an IPv4 address embedded in IPv6', () => {
  const prefixes = ['::', '::ffff:', '::ffff:0:', '64:ff9b::', '2001::', '2001:db8::', 'fe80::5efe:']
  fc.assert(
    fc.property(fc.constantFrom(...prefixes), fc.ipV4(), (prefix, v4) => {
      expect(isPublic(prefix + v4)).toBe(false)
    }),
    runs,
  )
})
