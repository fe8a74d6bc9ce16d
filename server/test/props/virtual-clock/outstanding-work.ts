// Knows when nothing in this thread is under way that could still change what a call hears or says.
//
// It watches instead of wrapping: questions to the embedded engines and requests over HTTP announce themselves on
// diagnostics channels, files in use are listed by Node. What the ports of the engines look like does not matter here.
import { channel } from 'node:diagnostics_channel'
import { setImmediate as nextTurn, setTimeout as pause } from 'node:timers/promises'
import { engineQuestions } from '../../../src/adapters/embedded/engine/engine-pool.ts'

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

// A promise that rejects has its asyncEnd, too.
engineQuestions.subscribe({ start: begin, end() {}, asyncStart() {}, asyncEnd: end, error() {} })

const requestOf = (message: unknown) => (message as { request: object }).request
channel('undici:request:create').subscribe((message) => begin(requestOf(message)))
for (const ended of ['undici:request:trailers', 'undici:request:error'])
  channel(ended).subscribe((message) => end(requestOf(message)))

// Reading, writing and closing of files, as process.getActiveResourcesInfo() calls them.
const fileWork = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq', 'FileHandleCloseReq'])
const filesAreBusy = () => process.getActiveResourcesInfo().some((resource) => fileWork.has(resource))

// An answer is passed on within the turn in which it arrives; the second turn is for messages that crossed with it.
const idleTurns = 2

/** Resolves when all work has been done and what it brought has been taken in, however long that takes. */
export async function settled(): Promise<void> {
  for (let idle = 0; idle < idleTurns; idle++) {
    // Asleep, so that the engines have the cores.
    if (outstanding.size > 0) {
      await allAnswered.promise
      idle = 0
    }
    await nextTurn()
    // Nothing tells when a file is done, but it soon is.
    while (filesAreBusy()) {
      await pause(1)
      idle = 0
    }
  }
  if (outstanding.size > 0) await settled()
}
