// The address that peers are told is not always one that we have (row 38).
import { afterEach, expect, it } from 'vitest'
import { sipSettings } from '../../../../test/props/sip/door-stores.ts'
import { openTransports } from './open-transports.ts'
import type { OpenSockets } from './sockets.ts'

let transports: OpenSockets | undefined
afterEach(() => transports?.close())

it('peers are told the advertised address, this machine and the other family their own', async () => {
  transports = await openTransports(sipSettings({ address: '203.0.113.9' }), { onMessage: () => {} })
  const hostFor = (address: string) => transports?.localAddress({ transport: 'udp', address }).host
  expect(hostFor('198.51.100.7')).toBe('203.0.113.9')
  expect(hostFor('127.0.0.1')).toBe('127.0.0.1')
  expect(hostFor('2001:db8::7')).not.toBe('203.0.113.9')
})
