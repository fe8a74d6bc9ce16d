import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { openSrtpReceiver, openSrtpSender, type SrtpKeys, type SrtpSuite, srtpSuites } from './srtp.ts'

const hex = (text: string) => Buffer.from(text.replaceAll(' ', ''), 'hex')
const key = () => randomBytes(30).toString('base64')

const open = (keys: SrtpKeys) => ({ ...openSrtpSender(keys), ...openSrtpReceiver(keys) })

function pair(suite: SrtpSuite = srtpSuites[0], theirMkiBytes = 0) {
  const [a, b] = [key(), key()]
  return [
    open({ suite, ours: a, theirs: b, theirMkiBytes: 0 }),
    open({ suite, ours: b, theirs: a, theirMkiBytes }),
  ] as const
}

const packet = (sequence: number, source = 7, text = 'sound') => {
  const bytes = Buffer.alloc(12 + text.length)
  bytes[0] = 0x80
  bytes.writeUInt16BE(sequence, 2)
  bytes.writeUInt32BE(source, 8)
  bytes.write(text, 12)
  return bytes
}

describe('SRTP', () => {
  it('is that of a known packet', () => {
    // Test vector of libsrtp (srtp_driver.c, srtp_validate): key and salt, a packet, and what it becomes.
    const master = hex('e1f97a0d3e018be0d64fa32c06de4139 0ec675ad498afeebb6960b3aabe6')
    const plain = hex('800f1234decafbadcafebabe abababababababababababababababab')
    const cipher = hex('800f1234decafbadcafebabe4e55dc4ce79978d88ca4d215949d2402b78d6acc99ea179b8dbb')
    const base64 = master.toString('base64')
    const one = open({ suite: srtpSuites[0], ours: base64, theirs: base64, theirMkiBytes: 0 })
    expect(Buffer.from(one.protect(plain)).toString('hex')).toBe(cipher.toString('hex'))
    expect(Buffer.from(one.unprotect(cipher) ?? []).toString('hex')).toBe(plain.toString('hex'))
  })

  it('is read by the other side, over a wrap of the numbers, with loss and in another order', () => {
    const [us, them] = pair()
    const sent = Array.from({ length: 400 }, (_, i) => us.protect(packet((65_400 + i) & 0xffff)))
    const order = sent.map((_, i) => i).filter((i) => i % 7 !== 3)
    for (let i = 0; i + 1 < order.length; i += 5)
      [order[i], order[i + 1]] = [order[i + 1] as number, order[i] as number]
    for (const i of order)
      expect(
        Buffer.from(them.unprotect(sent[i] as Buffer) ?? [])
          .subarray(12)
          .toString(),
      ).toBe('sound')
  })

  it('refuses what was changed, repeated, or made with another key', () => {
    const [us, them] = pair()
    const good = us.protect(packet(1))
    const bad = Buffer.from(good)
    bad[14] = (bad[14] as number) ^ 1
    expect(them.unprotect(bad)).toBeNull()
    expect(them.unprotect(good)).not.toBeNull()
    expect(them.unprotect(good)).toBeNull()
    expect(pair()[0].unprotect(us.protect(packet(2)))).toBeNull()
    expect(them.unprotect(Buffer.alloc(9))).toBeNull()
  })

  it('begins anew with a new source, and not with a stranger that claims to be one', () => {
    const [us, them] = pair()
    for (let i = 0; i < 70_000; i += 500) them.unprotect(us.protect(packet(i & 0xffff)))
    expect(them.unprotect(pair()[0].protect(packet(5, 9)))).toBeNull()
    expect(them.unprotect(us.protect(packet(70_000 & 0xffff)))).not.toBeNull()
  })

  it('protects reports as well', () => {
    const [us, them] = pair()
    const report = Buffer.concat([hex('80c80001 00000007'), Buffer.from('figures')])
    const sent = us.protectRtcp(report)
    expect(Buffer.from(sent).includes('figures')).toBe(false)
    expect(Buffer.from(them.unprotectRtcp(sent) ?? []).equals(report)).toBe(true)
    expect(them.unprotectRtcp(sent)).toBeNull()
  })

  it('refuses old packets of a source that was followed by another', () => {
    const [us, them] = pair()
    const old = [us.protect(packet(1, 7)), us.protect(packet(2, 7))]
    for (const one of old) expect(them.unprotect(one)).not.toBeNull()
    expect(them.unprotect(us.protect(packet(900, 8)))).not.toBeNull()
    for (const one of old) expect(them.unprotect(one)).toBeNull()
  })

  it('counts the reports of each source for itself', () => {
    const keys: SrtpKeys = { suite: srtpSuites[0], ours: key(), theirs: key(), theirMkiBytes: 0 }
    const receiver = openSrtpReceiver({ ...keys, theirs: keys.ours })
    const report = (source: number) => Buffer.concat([hex('80c90001'), Buffer.of(0, 0, 0, source)])
    // Behind one gateway, two phones that were given the same key.
    const [first, second] = [openSrtpSender(keys), openSrtpSender(keys)]
    for (let i = 0; i < 5; i++) expect(receiver.unprotectRtcp(first.protectRtcp(report(1)))).not.toBeNull()
    expect(receiver.unprotectRtcp(second.protectRtcp(report(2)))).not.toBeNull()
  })

  it('has a short tag for sound and a long one for reports in the second suite', () => {
    const [us, them] = pair('AES_CM_128_HMAC_SHA1_32')
    const sent = us.protect(packet(1))
    expect(sent.length).toBe(packet(1).length + 4)
    expect(Buffer.from(them.unprotect(sent) ?? []).equals(packet(1))).toBe(true)
    const report = hex('80c90001 00000007')
    expect(us.protectRtcp(report).length).toBe(report.length + 4 + 10)
    expect(them.unprotectRtcp(us.protectRtcp(report))).not.toBeNull()
  })

  it('passes over the bytes that name a key', () => {
    const [us, them] = pair(srtpSuites[0], 2)
    const named = (sent: Uint8Array) =>
      Buffer.concat([sent.subarray(0, -10), hex('0001'), sent.subarray(-10)])
    expect(Buffer.from(them.unprotect(named(us.protect(packet(1)))) ?? []).equals(packet(1))).toBe(true)
    const report = hex('80c90001 00000007')
    expect(them.unprotectRtcp(named(us.protectRtcp(report)))).not.toBeNull()
  })
})
