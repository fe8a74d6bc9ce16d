// Opens carriers from their descriptions: lines in the media thread, and doors for incoming calls in the main thread.
import { carrierChooser } from '../carriers/choose-carrier.ts'
import type { CarrierLink, CarrierParts, Door, DoorLink, DoorParts } from '../carriers/description.ts'
import { type CarrierDescriptions, carriers, type OwnDoorParts, type OwnParts } from '../carriers/index.ts'
import type { Config } from '../platform/config.ts'
import type { HandedOver } from '../ports/arrival.ts'
import type { CallResumer, KeepCallState } from '../ports/call-state.ts'
import type { ChooseCarrier, DialRequest } from '../ports/choose-carrier.ts'
import type { DialOrder, Line, LineListener } from '../ports/line.ts'
import type { CheckTrunk } from '../ports/trunk.ts'

export type CallToConnect = Omit<DialOrder, 'to' | 'trunkId'> & DialRequest

export interface CallConnection {
  /** The name of the carrier; null if none dials this number. */
  readonly provider: string | null
  /** Dials, or answers the arrival; throws if the carrier cannot. */
  connect(listener: LineListener): Line
  /** Call it when the call is over, whether it had a line or not. */
  release(): void
}

export interface OpenCarriers {
  connectionFor(call: CallToConnect, arrival: HandedOver | undefined): CallConnection
  /** What a carrier says to its door in the main thread. */
  onPost(post: (carrier: string, message: unknown) => void): void
  /** What its door says to it. */
  receive(carrier: string, message: unknown): void
  close(): Promise<void>
}

// Shown to the other side.
const notStarted = 'The call could not be started.'

export interface CarrierChoice {
  readonly descriptions: CarrierDescriptions
  readonly choose: ChooseCarrier
}

/** Every carrier of the service, chosen as the settings say. */
export const ownCarriers = ({ sandbox }: Pick<Config, 'sandbox'>): CarrierChoice => ({
  descriptions: carriers,
  choose: carrierChooser(sandbox),
})

export function openCarriers(
  { descriptions, choose }: CarrierChoice,
  parts: Omit<CarrierParts, 'link'> & OwnParts,
): OpenCarriers {
  const listeners = new Map<string, (message: unknown) => void>()
  let postFrom: (carrier: string, message: unknown) => void = () => {}
  const linkOf = (carrier: string): CarrierLink => ({
    post: (message) => postFrom(carrier, message),
    onMessage: (listener) => void listeners.set(carrier, listener),
  })
  const opened = new Map(
    Object.values(descriptions).map(({ name, open }) => [name, open({ ...parts, link: linkOf(name) })]),
  )
  return {
    connectionFor(call, arrival) {
      const decision = arrival ? { is: 'dialled' as const, by: arrival.carrier } : choose(call)
      if (decision.is === 'refused') return refusedConnection(call, decision.reason)
      const provider = decision.by
      const carrier = opened.get(provider)
      return {
        provider,
        connect(listener) {
          const line = arrival
            ? carrier?.answer?.({ sessionId: call.sessionId, payload: arrival.payload }, listener)
            : carrier?.dial?.({ ...call, to: call.to ?? '', trunkId: call.number?.id ?? null }, listener)
          if (!line)
            throw new Error(`The carrier ${provider} cannot ${arrival ? 'answer' : 'place'} calls here.`)
          return line
        },
        release: () => arrival && carrier?.refuse?.(arrival.payload, notStarted),
      }
    },
    onPost(post) {
      postFrom = post
    },
    receive: (carrier, message) => listeners.get(carrier)?.(message),
    async close() {
      await Promise.all([...opened.values()].map((carrier) => carrier.close()))
    },
  }
}

const refusedConnection = ({ provider }: CallToConnect, reason: string): CallConnection => ({
  provider,
  connect() {
    throw new Error(reason)
  },
  release() {},
})

export interface DoorsOptions extends Omit<DoorParts, 'link' | 'keepState'>, OwnDoorParts {
  readonly linkTo: (carrier: string) => DoorLink
  readonly keepStateOf: (carrier: string) => KeepCallState
}

export interface Doors {
  readonly address: string | undefined
  readonly checkTrunk: CheckTrunk | undefined
  /** Undefined: no carrier can go on with calls of other processes. */
  readonly resumer: CallResumer | undefined
  drain(): void
  close(): Promise<void>
}

/** The doors of all carriers that have one, in the main thread. */
export async function openDoors(
  descriptions: CarrierDescriptions,
  { linkTo, keepStateOf, ...rest }: DoorsOptions,
): Promise<Doors> {
  await using opened = new AsyncDisposableStack()
  const byName = new Map<string, Door>()
  for (const { name, openDoor } of Object.values(descriptions)) {
    if (!openDoor) continue
    const door = await openDoor({ ...rest, link: linkTo(name), keepState: keepStateOf(name) })
    byName.set(
      name,
      opened.adopt(door, (it) => it.close()),
    )
  }
  const doors = [...byName.values()]
  const open = opened.move()
  return {
    address: doors.find(({ address }) => address)?.address,
    checkTrunk: doors.find(({ checkTrunk }) => checkTrunk)?.checkTrunk,
    resumer: doors.some(({ resume }) => resume) ? resumerOf(byName) : undefined,
    drain() {
      for (const door of doors) door.drain?.()
    },
    close: () => open.disposeAsync(),
  }
}

const resumerOf = (doors: ReadonlyMap<string, Door>): CallResumer => ({
  resume: (carrier, sessionId, state) => doors.get(carrier)?.resume?.(sessionId, state) ?? null,
  abandon: (sessionId, onHungUp) =>
    [...doors.values()].some((door) => door.abandon?.(sessionId, onHungUp) === true),
})
