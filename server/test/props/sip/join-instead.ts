// A telephone that refuses REFER and the target of its transfer, both sipp: the line joins them by a second call.
import { expect } from 'vitest'
import { openSipCarrier } from '../../../src/adapters/carriers/sip/carrier.ts'
import type { ToSignalling } from '../../../src/adapters/carriers/sip/link.ts'
import type { LineEvent } from '../../../src/ports/line.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { sipSettings } from './door-stores.ts'
import { freeUdpPort, sipp } from './sipp.ts'
import { openTestDoor } from './test-door.ts'
import { trunkOf } from './trunk.ts'

export async function joinInstead(): Promise<void> {
  const [port, targetPort] = [await freeUdpPort(), await freeUdpPort()]
  const running = [sipp({ scenario: 'refused-refer', port }), sipp({ scenario: 'uas', port: targetPort })]
  const trunk = trunkOf({ host: '127.0.0.1', port })
  let receive: (message: unknown) => void = () => {}
  const opened = await openTestDoor(trunk, { isTrusted: true, onPost: (message) => receive(message) })
  const carrier = openSipCarrier({
    sip: sipSettings(),
    // Nobody is heard: time stands still for the sound.
    ticker: { add: () => ({ end() {} }) },
    link: {
      post: (message) => opened.tell(message as ToSignalling),
      onMessage: (listener) => {
        receive = listener
      },
    },
  })
  const events: LineEvent['type'][] = []
  const dialling = { sessionId: 's1', to: '+15550114', from: null, trunkId: trunk.id, metadata: null }
  const line = carrier.dial(dialling, { onEvent: ({ type }) => void events.push(type), onFrame() {} })
  await waitUntil(
    () => events.includes('answered') || undefined,
    () => `an answer after ${events}`,
  )
  const to = `sip:target@127.0.0.1:${targetPort}`
  expect(await line.transfer({ to, mode: 'blind' })).toMatchObject({
    ...{ is: 'failed', reason: 'Method Not Allowed', isRefused: true },
  })
  expect(await line.transfer({ to, mode: 'bridged' })).toEqual({ is: 'bridged' })
  // Both get their BYE.
  line.hangUp()
  expect(await Promise.all(running)).toEqual([null, null])
  await opened.door.close()
}
