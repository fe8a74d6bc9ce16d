// Knows when nothing in this thread is under way that could still change what a call hears or says.
//
// It watches instead of wrapping: questions to the embedded engines and requests over HTTP announce themselves on
// diagnostics channels, files in use are listed by Node. What the ports of the engines look like does not matter here.
import { channel } from 'node:diagnostics_channel'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { engineQuestions } from '../../../src/adapters/embedded/engine/engine-pool.ts'

const questions = new Set<object>()
const requests = new Set<object>()

engineQuestions.subscribe({
  start: (question) => void questions.add(question),
  end() {},
  asyncStart() {},
  asyncEnd: (question) => void questions.delete(question),
  // A promise that rejects has its asyncEnd, too.
  error() {},
})

const requestOf = (message: unknown) => (message as { request: object }).request
channel('undici:request:create').subscribe((message) => void requests.add(requestOf(message)))
for (const end of ['undici:request:trailers', 'undici:request:error'])
  channel(end).subscribe((message) => void requests.delete(requestOf(message)))

// Reading, writing and closing of files, as process.getActiveResourcesInfo() calls them.
const fileWork = new Set(['FSReqPromise', 'FSReqCallback', 'CloseReq', 'FileHandleCloseReq'])

const isIdle = () =>
  questions.size === 0 &&
  requests.size === 0 &&
  !process.getActiveResourcesInfo().some((resource) => fileWork.has(resource))

// An answer is passed on within the turn in which it arrives; the second turn is for messages that crossed with it.
const idleTurns = 2

/** Resolves when all work has been done and what it brought has been taken in, however long that takes. */
export async function settled(): Promise<void> {
  for (let idle = 0; idle < idleTurns; ) {
    await nextTurn()
    idle = isIdle() ? idle + 1 : 0
  }
}
