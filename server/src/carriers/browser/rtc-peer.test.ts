// Which ICE candidates are passed on, in either direction.
import { describe, expect, it } from 'vitest'
import { isUdp, onlyUdp } from './rtc-peer.ts'

const udp = 'candidate:1661239413 1 udp 2122260223 192.0.2.2 56577 typ host generation 0'
const waiting = 'candidate:2159777672 1 tcp 1518280447 192.0.2.2 47001 typ host tcptype passive'

describe('a candidate', () => {
  it.each([
    ['by UDP', udp],
    ['by UDP in capitals', udp.replace('udp', 'UDP')],
    ['with an mDNS name', udp.replace('192.0.2.2', '0b2c7d3e.local')],
  ])('%s is passed on', (_what, candidate) => expect(isUdp(candidate)).toBe(true))

  it.each([
    ['by TCP', waiting],
    ['with UDP in another field', `${waiting} udp`],
    ['that is invalid', 'rubbish'],
    ['that is empty', ''],
  ])('%s is not', (_what, candidate) => expect(isUdp(candidate)).toBe(false))
})

describe('an offer or answer', () => {
  const lines = (...candidates: string[]) =>
    [
      'v=0',
      'm=audio 9 UDP/TLS/RTP/SAVPF 111',
      ...candidates.map((text) => `a=${text}`),
      'a=sendrecv',
      '',
    ].join('\r\n')

  it('keeps everything but the non-UDP candidates', () => {
    expect(onlyUdp(lines(waiting, udp, waiting))).toBe(lines(udp))
  })

  it('drops one in the last line too', () => {
    expect(onlyUdp(`v=0\na=${waiting}`)).toBe('v=0\n')
  })
})
