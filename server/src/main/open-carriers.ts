// Opens carriers from their descriptions: lines in the media thread, and doors for incoming calls in the main thread.
import { carrierChooser } from '../carriers/choose-carrier.ts'
import type { CarrierLink, CarrierParts, Door, DoorLink, DoorParts } from '../carriers/description.ts'
import { type CarrierDescriptions, carriers, type OwnDoorParts, type OwnParts } from '../carriers/index.ts'
import type { Config } from '../platform/config.ts'
import type { HandedOver } from '../ports/arrival.ts'
import type { CallResumer, KeepCallState } from '../ports/call-state.ts'
import type { ChooseCarrier, DialRequest } from '../ports/choose-carrier.ts'
import type { DialOrder, Line, LineListener } from '../ports/line.ts'

export type CallToConnect = Omit<DialOrder, 'to' | 'trunkId'> & DialRequest

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
) {
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
    connectionFor(call: CallToConnect, arrival: HandedOver | undefined) {
      const decision = arrival ? { is: 'dialled' as const, by: arrival.carrier } : choose(call)
      if (decision.is === 'refused') return refusedConnection(call, decision.reason)
      const provider = decision.by
      const carrier = opened.get(provider)
      return {
        provider,
        /** Dials, or answers the arrival; throws if the carrier cannot. */
        connect(listener: LineListener): Line {
          const line = arrival
            ? carrier?.answer?.({ sessionId: call.sessionId, payload: arrival.payload }, listener)
            : carrier?.dial?.({ ...call, to: call.to ?? '', trunkId: call.number?.id ?? null }, listener)
          if (!line)
            throw new Error(`The carrier ${provider} cannot ${arrival ? 'answer' : 'place'} calls here.`)
          return line
        },
        /** Call it when the call is over, whether it had a line or not. */
        release: () => arrival && carrier?.refuse?.(arrival.payload, notStarted),
      }
    },
    /** What a carrier says to its door in the main thread. */
    onPost(post: (carrier: string, message: unknown) => void): void {
      postFrom = post
    },
    /** What its door says to it. */
    receive: (carrier: string, message: unknown) => listeners.get(carrier)?.(message),
    async close(): Promise<void> {
      await Promise.all([...opened.values()].map((carrier) => carrier.close()))
    },
  }
}

export type OpenCarriers = ReturnType<typeof openCarriers>
export type CallConnection = ReturnType<OpenCarriers['connectionFor']>

/** `provider` is null if no carrier dials this number. */
const refusedConnection = ({ provider }: CallToConnect, reason: string) => ({
  provider,
  connect(): never {
    throw new Error(reason)
  },
  release() {},
})

export interface DoorsOptions extends Omit<DoorParts, 'link' | 'keepState'>, OwnDoorParts {
  readonly linkTo: (carrier: string) => DoorLink
  readonly keepStateOf: (carrier: string) => KeepCallState
}

/** The doors of all carriers that have one, in the main thread. */
export async function openDoors(
  descriptions: CarrierDescriptions,
  { linkTo, keepStateOf, ...rest }: DoorsOptions,
) {
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
    /** Undefined: no carrier can go on with calls of other processes. */
    resumer: doors.some(({ resume }) => resume) ? resumerOf(byName) : undefined,
    drain(): void {
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
