// sipp plays recordings of a network to us: packets of 30 ms in A-law, then a key from another source.
import { existsSync } from 'node:fs'
import { expect } from 'vitest'
import { waitUntil } from '../../support/wait-until.ts'
import { callPort } from './calling-line.ts'
import { freeUdpPort, noSipp, sipp } from './sipp.ts'

/** Its packets are made by hand, which only root may. */
export const noRecordedPackets =
  noSipp ??
  (existsSync('/usr/share/sip-tester/g711a.pcap') && process.getuid?.() === 0
    ? undefined
    : 'sipp plays recorded packets as root only')

const tickMs = 20
/** Of a voice, as against the silence of a codec. */
const leastLevel = 200

export async function hearRecordedPackets(): Promise<void> {
  const port = await freeUdpPort()
  const running = sipp({ scenario: 'recorded-packets', port, more: ['-mp', String(await freeUdpPort())] })
  let voiced = 0
  const ticker = {
    add(onTick: (nowMs: number) => void) {
      const timer = setInterval(() => onTick(performance.now()), tickMs)
      return { end: () => clearInterval(timer) }
    },
  }
  const { line, events, close } = await callPort(port, {
    ticker,
    onFrame: ({ samples }) => {
      if (samples.some((sample) => Math.abs(sample) > leastLevel)) voiced++
    },
  })
  await waitUntil(
    () => events.some(({ type }) => type === 'digit') || undefined,
    () => `a key after ${voiced} frames`,
  )
  expect(events.filter(({ type }) => type === 'digit')).toEqual([{ type: 'digit', digit: '1' }])
  // A second of the seven; what a busy machine delays is concealed.
  expect(voiced).toBeGreaterThan(50)
  expect(line.quality).toMatchObject({ packetsReceived: expect.any(Number) })
  expect(line.quality?.packetsReceived).toBeGreaterThan(200)
  line.hangUp()
  expect(await running).toBeNull()
  await close()
}
