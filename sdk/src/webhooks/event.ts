// What a delivery carries: the event, in the words of the wire.
import type { CallCompleted } from '@parley/contract'

export type CallCompletedEvent = CallCompleted
