// Who comes through a proxy of our own, and what goes out through it.
import { describe, expect, it } from 'vitest'
import { noBody, type SipRequest } from '../message/message.ts'
import { SipEdge } from './edge.ts'
import type { Destination } from './transport.ts'

const edge = new SipEdge({ address: '10.0.0.5', port: 5_070 })
const atEdge: Destination = { transport: 'udp', address: '10.0.0.5', port: 5_070 }
const elsewhere: Destination = { transport: 'udp', address: '198.51.100.9', port: 5_060 }
const request = (method: string, source?: string): SipRequest => ({
  kind: 'request',
  method,
  uri: 'sip:agent@10.0.0.11',
  body: noBody,
  headers: source === undefined ? [] : [{ name: 'X-Parley-Source', value: source }],
})

describe('who has sent a request', () => {
  it.each<[string, Destination, string | undefined, Destination]>([
    [
      'is whom the edge saw',
      atEdge,
      'sip:203.0.113.7:5062;transport=tls',
      { transport: 'tls', address: '203.0.113.7', port: 5_062 },
    ],
    [
      'is whom the edge saw, over IPv6',
      atEdge,
      'sip:[2001:db8::7]:5060;transport=udp',
      { transport: 'udp', address: '2001:db8::7', port: 5_060 },
    ],
    [
      'is the peer itself, whatever it writes, if that is not the edge',
      elsewhere,
      'sip:203.0.113.7:5062',
      elsewhere,
    ],
    ['is the edge if it names nobody', atEdge, undefined, atEdge],
    ['is the edge if it names no address', atEdge, 'sip:trunk.example', atEdge],
  ])('%s', (_, peer, source, origin) => {
    expect(edge.originOf(request('INVITE', source), peer)).toEqual(origin)
    expect(new SipEdge(undefined).originOf(request('INVITE', source), peer)).toEqual(peer)
  })
})

it('asks by itself whether we are here, and nobody else is taken for it', () => {
  expect(edge.isPing(request('OPTIONS'), atEdge)).toBe(true)
  expect(edge.isPing(request('INVITE'), atEdge)).toBe(false)
  expect(edge.isPing(request('OPTIONS', 'sip:203.0.113.7:5062'), atEdge)).toBe(false)
  expect(edge.isPing(request('OPTIONS'), elsewhere)).toBe(false)
})

it('is the first route of what we send, where there is one', () => {
  expect(edge.routes).toEqual(['<sip:10.0.0.5:5070;transport=udp;lr>'])
  expect(new SipEdge(undefined).routes).toEqual([])
})
