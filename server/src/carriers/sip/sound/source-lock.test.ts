// Who is believed to be the far end of a call, from the packets that come to its port.
import { beforeEach, describe, expect, it } from 'vitest'
import { SourceLock } from './source-lock.ts'

const announced = { address: '192.0.2.1', port: 4_000 }
const behindNat = { address: '198.51.100.7', port: 61_000 }
const stranger = { address: '203.0.113.66', port: 9 }

let lock: SourceLock
let nowMs: number
beforeEach(() => {
  lock = new SourceLock()
  lock.announce(announced)
  nowMs = 0
})

const sends = (
  from: { address: string; port: number },
  ssrc: number,
  sequence: number,
  isAuthentic = false,
) => {
  nowMs += 20
  return lock.accepts(from.address, from.port, ssrc, sequence, nowMs, isAuthentic)
}
const stream = (from: { address: string; port: number }, ssrc: number, count: number, first = 100) =>
  Array.from({ length: count }, (_, i) => sends(from, ssrc, (first + i) & 0xffff))

it('is where SDP says, whoever else sends, if the trunk has symmetric RTP off (row 37)', () => {
  lock = new SourceLock(false)
  lock.announce(announced)
  expect(stream(behindNat, 1, 5)).toEqual(Array(5).fill(false))
  expect(sends(stranger, 2, 1, true)).toBe(false)
  // Its port for sending may be another one; the answer goes to the one that was announced.
  expect(stream({ ...announced, port: 9_000 }, 1, 2)).toEqual([true, true])
  expect(lock.target).toEqual(announced)
  expect(lock.acceptsReport(stranger.address)).toBe(false)
})

describe('the source of a call', () => {
  it('is first sent to where SDP says, and believed at once from there', () => {
    expect(lock.target).toEqual(announced)
    expect(sends(announced, 1, 1)).toBe(true)
  })

  it('may be another one, after a few packets in a row', () => {
    expect(stream(behindNat, 1, 4, 65_534)).toEqual([false, false, true, true])
    expect(lock.target).toEqual(behindNat)
  })

  it('is not a stranger once it is known', () => {
    stream(behindNat, 1, 5)
    for (let i = 0; i < 40; i++) {
      expect(sends(stranger, 2, i)).toBe(false)
      expect(sends(behindNat, 1, 105 + i)).toBe(true)
    }
    expect(lock.target).toEqual(behindNat)
  })

  it('is not kept from being found by a flood of strangers that are no stream', () => {
    const heard: boolean[] = []
    for (let i = 0; i < 5; i++) {
      for (let flood = 0; flood < 3; flood++) expect(sends(stranger, 1_000 * i + flood, flood)).toBe(false)
      heard.push(sends(behindNat, 1, i))
    }
    expect(heard).toContain(true)
  })

  it('is sought again after a negotiation, and the old one goes on until then', () => {
    stream(behindNat, 1, 5)
    lock.announce(announced)
    expect(lock.target).toEqual(behindNat)
    const moved = { ...behindNat, port: 62_000 }
    expect(stream(moved, 9, 4)).toEqual([false, false, true, true])
    expect(lock.target).toEqual(moved)
  })

  it('is no longer sought once the old one has been heard after the negotiation', () => {
    stream(behindNat, 1, 5)
    lock.announce(announced)
    stream(behindNat, 1, 1, 105)
    expect(stream(stranger, 2, 10)).not.toContain(true)
  })

  it('is the newly announced one after a move', () => {
    stream(behindNat, 1, 5)
    const next = { address: '192.0.2.9', port: 5_000 }
    lock.announce(next)
    expect(lock.target).toEqual(next)
    expect(sends(next, 3, 1)).toBe(true)
  })

  it('may change its address with the same stream, when the old one has fallen silent', () => {
    stream(behindNat, 1, 5)
    const remapped = { ...behindNat, port: 63_000 }
    nowMs += 2_000
    expect(stream(stranger, 2, 6)).not.toContain(true)
    expect(stream(remapped, 1, 3, 300)).toEqual([false, false, true])
  })

  it('is whoever has the key', () => {
    stream(behindNat, 1, 5)
    expect(sends({ ...behindNat, port: 63_000 }, 1, 300, true)).toBe(true)
    expect(lock.target?.port).toBe(63_000)
  })

  it('reports from its own address, at any port', () => {
    stream(behindNat, 1, 5)
    expect(lock.acceptsReport(behindNat.address)).toBe(true)
    expect(lock.acceptsReport(announced.address)).toBe(true)
    expect(lock.acceptsReport(stranger.address)).toBe(false)
  })
})
