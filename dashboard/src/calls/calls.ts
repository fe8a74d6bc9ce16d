// What other features show of a call.
export { CallRecord } from './call-record.tsx'
export { Conversation } from './conversation.tsx'
export { LatencyBars } from './latency-bars.tsx'
export { eventNames, follow, type LiveView, nothingYet } from './live.ts'
