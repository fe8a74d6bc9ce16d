// Waits for the next chunk from a server, with a deadline that moves with every token.
import { ModelError } from './model-error.ts'

/** Timeouts for the first token and between tokens, never for the whole answer. */
export interface TokenTimeouts {
  readonly firstTokenMs: number
  readonly silenceMs: number
}

// A caller does not wait longer for a word.
export const defaultTimeouts: TokenTimeouts = { firstTokenMs: 8_000, silenceMs: 8_000 }

export interface Deadline {
  /** Moves the deadline to this long from now. */
  grant(ms: number, sentence: string): void
  wait<Value>(promise: Promise<Value>): Promise<Value>
}

export function deadline(): Deadline {
  let atMs = Number.POSITIVE_INFINITY
  let sentence = ''
  return {
    grant(ms, told) {
      atMs = performance.now() + ms
      sentence = told
    },
    async wait(promise) {
      const late = Promise.withResolvers<never>()
      const timer = setTimeout(() => late.reject(new ModelError('late', sentence)), atMs - performance.now())
      try {
        return await Promise.race([promise, late.promise])
      } finally {
        clearTimeout(timer)
        // A rejection after the deadline must not go unhandled.
        promise.catch(() => {})
      }
    },
  }
}
