// A SIP door whose surroundings are in the memory of a test: whoever calls is let in, and the messages to the media thread are kept.
import { createHmac } from 'node:crypto'
import { setImmediate } from 'node:timers/promises'
import type { Door } from '../../../src/carriers/description.ts'
import { openSipDoor } from '../../../src/carriers/sip/door/door.ts'
import type { ToLine, ToSignalling } from '../../../src/carriers/sip/line/link.ts'
import type { ArrivalKey } from '../../../src/ports/arrival.ts'
import type { Trunk } from '../../../src/ports/trunk.ts'
import { alone, idleGuard, memoryTelephones, sipSettings } from './door-stores.ts'

export interface TestDoor {
  readonly door: Door
  readonly port: number
  /** Every call that has asked to be let in. */
  readonly asked: ArrivalKey[]
  /** Why somebody was turned away. */
  readonly counted: string[]
  readonly toMedia: ToLine[]
  readonly leases: ReturnType<typeof alone>
  readonly telephones: ReturnType<typeof memoryTelephones>
  /** In the place of the media thread. */
  tell(message: ToSignalling): void
}

export interface TestDoorOptions {
  readonly isTrusted?: boolean
  /** As PARLEY_SIP_ALLOW. */
  readonly allow?: string[]
  readonly onPost?: (message: ToLine) => void
}

export async function openTestDoor(
  trunk: Trunk,
  { isTrusted = false, allow = [], onPost = () => {} }: TestDoorOptions = {},
): Promise<TestDoor> {
  const [leases, telephones] = [alone(), memoryTelephones()]
  const [asked, counted, toMedia]: [ArrivalKey[], string[], ToLine[]] = [[], [], []]
  let tell: TestDoor['tell'] = () => {}
  const door = await openSipDoor({
    sip: sipSettings({ allow }),
    log: { info() {}, warn() {}, error() {} } as never,
    admit: async (key) => {
      asked.push(key)
      return { is: 'in', sessionId: `in-${asked.length}` }
    },
    room: () => ({ free: 1, capacity: 1 }),
    link: {
      post(message) {
        toMedia.push(message as ToLine)
        onPost(message as ToLine)
      },
      onMessage: (listener) => {
        tell = listener
      },
      onLost() {},
    },
    trunks: { all: async () => [trunk], onChange: () => () => {} },
    leases,
    telephones,
    guard: idleGuard(),
    isTrustedHost: () => isTrusted,
    sign: (text) => createHmac('sha256', 'a key for tests').update(text).digest(),
    transferTargets: () => [],
    mayDial: () => false,
    keepSignalling: () => {},
    keepState: () => {},
    countRefused: (reason) => void counted.push(reason),
  })
  // It reads its trunks as soon as it is open.
  await setImmediate()
  const port = Number(/:(\d+)$/.exec(door.address ?? '')?.[1])
  return { door, port, asked, counted, toMedia, leases, telephones, tell: (message) => tell(message) }
}
