// A telephone that refuses REFER and the target of its transfer, both sipp: the line joins them by a second call.
import { expect } from 'vitest'
import { callPort } from './calling-line.ts'
import { freeUdpPort, sipp } from './sipp.ts'

export async function joinInstead(): Promise<void> {
  const [port, targetPort] = [await freeUdpPort(), await freeUdpPort()]
  const running = [sipp({ scenario: 'refused-refer', port }), sipp({ scenario: 'uas', port: targetPort })]
  // Nobody is heard: time stands still for the sound.
  const { line, close } = await callPort(port, { ticker: { add: () => ({ end() {} }) } })
  const to = `sip:target@127.0.0.1:${targetPort}`
  expect(await line.transfer({ to, mode: 'blind' })).toMatchObject({
    is: 'failed',
    reason: 'Method Not Allowed',
    isRefused: true,
  })
  expect(await line.transfer({ to, mode: 'bridged' })).toEqual({ is: 'bridged' })
  // Both get their BYE.
  line.hangUp()
  expect(await Promise.all(running)).toEqual([null, null])
  await close()
}
