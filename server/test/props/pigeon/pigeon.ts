// An imaginary third carrier, described outside the service: it dials, and accepts calls over an HTTP upgrade.
import { MessageChannel, type MessagePort } from 'node:worker_threads'
import type { CarrierDescription } from '../../../src/carriers/description.ts'
import { carriers } from '../../../src/carriers/index.ts'
import type { CarrierChoice } from '../../../src/main/open-carriers.ts'
import { openPigeonLine, pigeonAbilities } from './pigeon-line.ts'

interface Letter {
  readonly home: MessagePort
}

const flightTicks = 100

const pigeon: CarrierDescription = {
  name: 'pigeon',
  can: pigeonAbilities,
  open: ({ ticker }) => ({
    dial: ({ sessionId }, listener) =>
      openPigeonLine({ callSid: `pigeon-${sessionId}`, flightTicks }, listener, ticker),
    answer: ({ sessionId, payload }, listener) =>
      openPigeonLine(
        { callSid: `homing-${sessionId}`, flightTicks, home: (payload as Letter).home },
        listener,
        ticker,
      ),
    refuse(payload, reason) {
      const { home } = payload as Letter
      home.postMessage({ refused: reason })
      home.close()
    },
    close() {},
  }),
  /** The token is in the query of the URL; events of the call are written to the connection. */
  openDoor({ upgrades, admit }) {
    upgrades.take('/pigeons', (request, stream) => {
      stream.write('HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: pigeon\r\n\r\n')
      const tell = (what: object) => stream.writable && stream.write(`${JSON.stringify(what)}\n`)
      const { port1, port2 } = new MessageChannel()
      port1.on('message', tell)
      port1.on('close', () => stream.end())
      const token = new URL(request.url ?? '', 'http://localhost').searchParams.get('token') ?? ''
      const arrival = {
        carrier: 'pigeon',
        handover: { payload: { home: port2 } satisfies Letter, transfer: [port2] },
        refuse(reason: string) {
          tell({ refused: reason })
          port1.close()
        },
      }
      void admit({ by: 'token', token }, arrival).then((admission) => {
        tell(admission)
        if (admission.is !== 'in') port1.close()
      })
    })
    return { close() {} }
  },
}

/** It dials every number but two: one is left to a carrier that cannot dial, the other to one that does not exist. */
export const withPigeon: CarrierChoice = {
  descriptions: { ...carriers, pigeon },
  choose: ({ to }) => ({
    is: 'dialled',
    by: to === '+15550188' ? 'browser' : to === '+15550189' ? 'owl' : 'pigeon',
  }),
}
