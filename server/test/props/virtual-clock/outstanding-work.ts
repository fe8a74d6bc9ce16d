// Detects when no work is pending in this thread that could still change what a call hears or says.
//
// It observes instead of wrapping: requests to the embedded engines and over HTTP are published on
// diagnostics channels, and Node lists the files in use. So it does not depend on the ports of the engines.
import { channel } from 'node:diagnostics_channel'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { engineQuestions } from '../../../src/engines/engine/engine-pool.ts'
import { knowledgeQuestions, speechLookups } from '../../../src/main/media/main-thread-links.ts'

const outstanding = new Set<object>()
let allAnswered = Promise.withResolvers<void>()

function begin(work: object): void {
  if (outstanding.size === 0) allAnswered = Promise.withResolvers()
  outstanding.add(work)
}

function end(work: object): void {
  outstanding.delete(work)
  if (outstanding.size === 0) allAnswered.resolve()
}

// asyncEnd is also published for a promise that rejects.
for (const announced of [engineQuestions, knowledgeQuestions, speechLookups])
  announced.subscribe({ start: begin, end() {}, asyncStart() {}, asyncEnd: end, error() {} })

const requestOf = (message: unknown) => (message as { request: object }).request
channel('undici:request:create').subscribe((message) => begin(requestOf(message)))
for (const ended of ['undici:request:trailers', 'undici:request:error'])
  channel(ended).subscribe((message) => {
    const request = requestOf(message)
    clearTimeout(stalls.get(request))
    end(request)
  })

// A response that has begun and then sends nothing for so long is not worked on: it has stalled, and time goes on.
const stalledAfterMs = 2_000
const stalls = new WeakMap<object, NodeJS.Timeout>()
channel('undici:request:bodyChunkReceived').subscribe((message) => {
  const request = requestOf(message)
  begin(request)
  clearTimeout(stalls.get(request))
  stalls.set(
    request,
    setTimeout(() => end(request), stalledAfterMs),
  )
})

// File operations, as named by process.getActiveResourcesInfo().
const fileWork = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq', 'FileHandleCloseReq'])
const filesAreBusy = () => process.getActiveResourcesInfo().some((resource) => fileWork.has(resource))

// An answer is handled in the event-loop turn in which it arrives; the second turn is for messages that crossed it.
const idleTurns = 2

/** Resolves when all work is done and its results have been handled, however long that takes. */
export async function settled(): Promise<void> {
  for (let idle = 0; idle < idleTurns; idle++) {
    // Sleeps, so that the engines get the cores.
    if (outstanding.size > 0) {
      await allAnswered.promise
      idle = 0
    }
    await nextTurn()
    // There is no event for the end of a file operation, but it is short.
    while (filesAreBusy()) {
      await pause(1)
      idle = 0
    }
  }
  if (outstanding.size > 0) await settled()
}
