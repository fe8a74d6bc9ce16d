// Step 5: a repeated POST gets the answer of the first one and has no effect.
//
// The operation runs without a lookup first, because nearly every POST is new. Its writes are committed together with
// its answer, under a unique key: a duplicate, even in another process or after a crash, violates that key, leaves
// nothing behind, and is given the stored answer instead.
//
// Side effects outside the database cannot be undone that way: such an operation claims its key before it acts, and a
// duplicate waits for its answer. An operation that streams its body looks the key up first: that is cheap compared
// with reading the body.

import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sha256 } from '../platform/secrets.ts'
import type { Answer } from './answer.ts'
import { fail } from './failure.ts'
import type { AnswerStore } from './idempotency-store.ts'
import { mostTries, type PendingWork } from './work.ts'

export interface Attempt {
  readonly answer: Answer
  readonly work: PendingWork
}

/**
 * The operation's effects are inside the database, outside it, or streamed from the request, which cannot be repeated.
 */
export type Manner = 'inside' | 'outside' | 'upload'

export interface AttemptResult {
  readonly answer: Answer
  readonly replayed: boolean
}

// Short enough not to be noticed, long enough not to load the database.
const waitMs = 100

export class Idempotency {
  private readonly underWay = new Map<string, Promise<unknown>>()
  private readonly answers: AnswerStore

  constructor(answers: AnswerStore) {
    this.answers = answers
  }

  keyOf(apiKeyId: string, path: string, headers: IncomingHttpHeaders): Buffer {
    const given = headers['idempotency-key']
    const key = (Array.isArray(given) ? given.join() : (given ?? '')).trim()
    if (key === '') fail('IDEMPOTENCY_KEY_REQUIRED')
    return sha256(`${apiKeyId}\n${path}\n${key}`)
  }

  /** `attempt` resolves for every answer below 500, refusals included, and throws for the rest. */
  async once(cacheKey: Buffer, manner: Manner, attempt: () => Promise<Attempt>): Promise<AttemptResult> {
    const name = cacheKey.toString('base64')
    for (let before = this.underWay.get(name); before; before = this.underWay.get(name)) {
      await before.catch(() => {})
      const stored = await this.answers.find(cacheKey)
      if (stored && stored !== 'claimed') return { answer: stored, replayed: true }
    }
    const running = this[manner](cacheKey, attempt)
    this.underWay.set(name, running)
    try {
      return await running
    } finally {
      this.underWay.delete(name)
    }
  }

  private async inside(
    cacheKey: Buffer,
    attempt: () => Promise<Attempt>,
    most = mostTries,
  ): Promise<AttemptResult> {
    for (let left = most; left > 0; left--) {
      const { answer, work } = await attempt()
      const outcome = await this.answers.commit(cacheKey, answer, work)
      if (outcome === 'committed') return { answer, replayed: false }
      if (outcome === 'stale') continue
      const stored = await this.answers.find(cacheKey)
      if (stored && stored !== 'claimed') return { answer: stored, replayed: true }
    }
    throw new Error('the rows of this request keep changing, or an expired answer cannot be replaced')
  }

  private async upload(cacheKey: Buffer, attempt: () => Promise<Attempt>): Promise<AttemptResult> {
    const stored = await this.answers.find(cacheKey)
    if (stored && stored !== 'claimed') return { answer: stored, replayed: true }
    return this.inside(cacheKey, attempt, 1)
  }

  private async outside(cacheKey: Buffer, attempt: () => Promise<Attempt>): Promise<AttemptResult> {
    while (!(await this.answers.claim(cacheKey))) {
      const stored = await this.answers.find(cacheKey)
      if (stored && stored !== 'claimed') return { answer: stored, replayed: true }
      if (stored) await sleep(waitMs)
    }
    try {
      const { answer, work } = await attempt()
      await this.answers.fulfil(cacheKey, answer, work)
      return { answer, replayed: false }
    } catch (error) {
      await this.answers.drop(cacheKey).catch(() => {})
      throw error
    }
  }
}
