// Waits for the next thing a server sends, until a moment that moves with every token.
import { ModelError } from './model-error.ts'

/** On the first token and between tokens, never on the whole answer. */
export interface TokenBucket {
  readonly firstTokenMs: number
  readonly silenceMs: number
}

// Nobody on the telephone waits longer for a word.
export const usualPatience: TokenBucket = { firstTokenMs: 8_000, silenceMs: 8_000 }

export interface Deadline {
  /** From now on. */
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
        // What comes after we stopped waiting is nobody's any more.
        promise.catch(() => {})
      }
    },
  }
}
