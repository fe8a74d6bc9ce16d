// The boundary between a call and its ports: a fault behind it ends this call and no other.
//
// A port that throws synchronously throws into the session, which catches everything at its entry points. This file catches
// what would bypass them: an exception in a callback that a port calls, which would otherwise unwind through the engine
// shared by all calls, and a rejected promise that is never awaited, which would end the thread.
import type { CallUpdate } from '../ports/call.ts'
import type { LanguageModel } from '../ports/language-model.ts'
import type { Consultation, Line } from '../ports/line.ts'
import type { RecordingSink } from '../ports/recording.ts'
import type { Synthesizer } from '../ports/synthesizer.ts'
import type { ToolBox } from '../ports/tools.ts'
import type { Transcriber, TranscriptStream } from '../ports/transcriber.ts'
import type { VoiceDetector, VoiceStream } from '../ports/voice-detector.ts'
import type { CallParts } from './call-parts.ts'

/** The fault of an engine as one sentence: engines throw sentences, but occasionally something else. */
export const faultSentence = (error: unknown): string =>
  error instanceof Error && error.message ? error.message : `The engine failed: ${String(error)}`

type OnFault = (error: unknown) => void
type Method = (...args: readonly unknown[]) => unknown

type AsyncMethodOf<Port> = {
  [Name in keyof Port]-?: NonNullable<Port[Name]> extends (...args: never[]) => Promise<unknown>
    ? Name
    : never
}[keyof Port]

/** Methods whose promises the call awaits and handles. Every other method is synchronous, so a promise from it is a mistake. */
const awaited = {
  run: true,
  warm: true,
  close: true,
  flushed: true,
  discard: true,
  sendDigits: true,
  hold: true,
  transfer: true,
  join: true,
} satisfies Record<
  | AsyncMethodOf<Line>
  | AsyncMethodOf<Consultation>
  | AsyncMethodOf<Transcriber>
  | AsyncMethodOf<TranscriptStream>
  | AsyncMethodOf<VoiceDetector>
  | AsyncMethodOf<VoiceStream>
  | AsyncMethodOf<Synthesizer>
  | AsyncMethodOf<LanguageModel>
  | AsyncMethodOf<ToolBox>
  | AsyncMethodOf<RecordingSink>,
  true
>

/** Wraps a port, and every object that the port hands out; faults are reported to `onFault`. */
export function contain<Port extends object>(port: Port, onFault: OnFault): Port {
  const contained = new WeakMap<object, unknown>()

  const read = (key: PropertyKey): unknown => {
    const value: unknown = Reflect.get(port, key, port)
    // The consumer of an iterator sees its faults itself.
    if (typeof value === 'function' && typeof key === 'symbol') return value.bind(port)
    if (typeof value === 'function') return containMethod(port, key, onFault)
    if (!isPort(value)) return value
    const known = contained.get(value) ?? contain(value, onFault)
    contained.set(value, known)
    return known
  }
  // An empty target: a proxy cannot replace the methods of a frozen port.
  const other = new Proxy({}, { get: (_, key) => read(key), has: (_, key) => key in port })
  // Every frame passes through several methods, and a proxy is slow: the methods are properties in front of it.
  return Object.create(other, methodsOf(port, onFault)) as Port
}

function methodsOf(port: object, onFault: OnFault): PropertyDescriptorMap {
  const methods: PropertyDescriptorMap = {}
  for (let owner: object = port; owner !== Object.prototype && owner; owner = Object.getPrototypeOf(owner)) {
    for (const [key, { value }] of Object.entries(Object.getOwnPropertyDescriptors(owner)))
      if (typeof value === 'function') methods[key] ??= { value: containMethod(port, key, onFault) }
  }
  return methods
}

/**
 * The method is looked up at every call, because a port may replace its methods. Ports take three parameters at most;
 * a rest parameter would allocate an array for every frame.
 */
function containMethod(port: object, key: PropertyKey, onFault: OnFault): Method {
  const isAwaited = key in awaited
  return (a?: unknown, b?: unknown, c?: unknown): unknown => {
    const method = port[key as keyof typeof port] as Method
    const result = method.call(port, guarded(a, onFault), guarded(b, onFault), guarded(c, onFault))
    if (!isPort(result)) return result
    if (!(result instanceof Promise)) return contain(result, onFault)
    result.catch(isAwaited ? () => {} : onFault)
    return result
  }
}

/** An object with methods: a class instance or a record of functions. Frames and settings are neither. */
function isPort(value: unknown): value is object {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  if (Object.getPrototypeOf(value) !== Object.prototype) return true
  // Descriptors are read, because inspecting a port must not run its getters.
  return Object.values(Object.getOwnPropertyDescriptors(value)).some(
    (property) => typeof property.value === 'function',
  )
}

/** The same question for arguments, which are ours and come with every frame: it allocates nothing. */
function hasMethods(object: object): boolean {
  for (const key in object) if (typeof object[key as keyof typeof object] === 'function') return true
  return false
}

/** Wraps a callback, or an object of callbacks, so that it never throws. Everything else stays as it is. */
function guarded(argument: unknown, onFault: OnFault): unknown {
  if (typeof argument === 'function') return guardedCallback(argument as Method, undefined, onFault)
  const isPlain =
    typeof argument === 'object' && argument !== null && Object.getPrototypeOf(argument) === Object.prototype
  if (!isPlain || !hasMethods(argument)) return argument
  const entries = Object.entries(argument).map(([name, member]) => [
    name,
    typeof member === 'function' ? guardedCallback(member as Method, argument, onFault) : member,
  ])
  return Object.fromEntries(entries)
}

const guardedCallback =
  (callback: Method, owner: unknown, onFault: OnFault) =>
  (a?: unknown, b?: unknown): unknown => {
    try {
      return callback.call(owner, a, b)
    } catch (error) {
      onFault(error)
      return undefined
    }
  }

/** The parts of a call behind this boundary: a fault of a part ends the call, a fault of an update listener ends nothing. */
export function containedParts(parts: CallParts, fail: (error: unknown) => void): CallParts {
  const { connect, transcriber, synthesizer, detector, model, tools, recording, ambience } = contain(
    parts,
    fail,
  )
  const { onUpdate } = contain({ onUpdate: parts.onUpdate }, () => {})
  const quietly = (update: CallUpdate) => {
    attempt(() => onUpdate(update))
  }
  const ports = { connect, transcriber, synthesizer, detector, model, tools, recording, ambience }
  return { ...parts, ...ports, onUpdate: quietly }
}

/** The error of the attempt as a list: empty if nothing failed. */
export function attempt(act: () => unknown): readonly string[] {
  try {
    act()
    return []
  } catch (error) {
    return [faultSentence(error)]
  }
}

/** Reads a value of a part; undefined if the part fails, which must not keep a call from ending. */
export function saidBy<Value>(read: () => Value): Value | undefined {
  let said: Value | undefined
  attempt(() => {
    said = read()
  })
  return said
}
