// A line of ours on real sockets, without a service around it: the door and the media side of the SIP carrier in one process.
import { openSipCarrier } from '../../../src/carriers/sip/line/carrier.ts'
import type { ToSignalling } from '../../../src/carriers/sip/line/link.ts'
import type { Frame } from '../../../src/media/frame.ts'
import type { Ticker } from '../../../src/platform/clock/ticker.ts'
import type { Line, LineEvent } from '../../../src/ports/line.ts'
import { waitUntil } from '../../support/wait-until.ts'
import { sipSettings } from './door-stores.ts'
import { openTestDoor } from './test-door.ts'
import { trunkOf } from './trunk.ts'

export interface CallingLine {
  readonly line: Line
  readonly events: readonly LineEvent[]
  close(): Promise<void>
}

export interface CallingOptions {
  readonly ticker: Pick<Ticker, 'add'>
  readonly onFrame?: (frame: Frame) => void
}

/** Calls whoever is at this port of this machine, and waits for the answer. */
export async function callPort(
  port: number,
  { ticker, onFrame = () => {} }: CallingOptions,
): Promise<CallingLine> {
  const trunk = trunkOf({ host: '127.0.0.1', port })
  let receive: (message: unknown) => void = () => {}
  const { door, tell } = await openTestDoor(trunk, {
    isTrusted: true,
    onPost: (message) => receive(message),
  })
  const carrier = openSipCarrier({
    sip: sipSettings(),
    ticker,
    link: {
      post: (message) => tell(message as ToSignalling),
      onMessage: (listener) => {
        receive = listener
      },
    },
  })
  const events: LineEvent[] = []
  const dialling = { sessionId: 's1', to: '+15550114', from: null, trunkId: trunk.id, metadata: null }
  const line = carrier.dial(dialling, { onEvent: (event) => void events.push(event), onFrame })
  await waitUntil(
    () => events.some(({ type }) => type === 'answered') || undefined,
    () => `an answer after ${JSON.stringify(events)}`,
  )
  return { line, events, close: async () => door.close() }
}
