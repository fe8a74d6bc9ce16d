// The parts of a call behind its boundary: a fault of a part ends this call, a fault of an update listener ends
// nothing.
import type { CallUpdate } from '../ports/call.ts'
import type { CallParts } from './call-parts.ts'
import { contain } from './contain.ts'
import { faultSentence } from './engine-fault.ts'

export function containedParts(parts: CallParts, fail: (error: unknown) => void): CallParts {
  const contained = contain(parts, fail)
  // A failing update listener cannot end the call.
  const { onUpdate } = contain({ onUpdate: parts.onUpdate }, () => {})
  const quietly = (update: CallUpdate) => {
    attempt(() => onUpdate(update))
  }
  return { ...parts, ...portsOf(contained), onUpdate: quietly }
}

const portsOf = ({
  connect,
  transcriber,
  synthesizer,
  detector,
  model,
  tools,
  recording,
  ambience,
}: CallParts) => ({
  connect,
  transcriber,
  synthesizer,
  detector,
  model,
  tools,
  recording,
  ambience,
})

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
