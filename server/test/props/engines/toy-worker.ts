// An engine for tests of the engine thread: it echoes words after a delay, or crashes on them.
import { readlinkSync } from 'node:fs'
import { getPriority } from 'node:os'
import { basename } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { serveEngine } from '../../../src/engines/engine/serve-engine.ts'

export type ToyQuestion =
  | { readonly say: string; readonly afterMs: number }
  | { readonly do: 'refuse' }
  | { readonly do: 'die' }
  | { readonly do: 'tell-priority' }
  /** The thread id of the operating system. */
  | { readonly do: 'tell-thread' }

serveEngine<{ broken: boolean }, ToyQuestion, string>(async ({ broken }) => {
  if (broken) throw new Error('these are not weights\n  at some place in a native library')
  return {
    async answer(question, signal) {
      if ('say' in question) {
        await sleep(question.afterMs, undefined, { signal })
        return question.say
      }
      if (question.do === 'tell-priority') return String(getPriority())
      if (question.do === 'tell-thread') return basename(readlinkSync('/proc/thread-self'))
      if (question.do === 'refuse') throw new Error('not this one')
      process.exit(1)
    },
    release() {},
  }
})
