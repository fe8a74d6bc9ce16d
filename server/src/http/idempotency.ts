// Step 5: a repeated POST gets the first one's answer and does nothing.
//
// The operation runs without asking first, because nearly every POST is new. What it wants written is committed
// together with its answer, under a unique key: a duplicate, also one in another process or after a crash, fails on
// that key, leaves nothing behind, and is given the stored answer instead.
//
// An operation that acts outside the database cannot be undone that way. It claims its key before it acts, and a
// duplicate waits for its answer. One whose body is read as it comes asks first after all: that is cheap beside reading.

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

/** What the operation does is within the database, outside it, or read off the wire, which works but once. */
export type Manner = 'inside' | 'outside' | 'upload'

export interface AttemptResult {
  readonly answer: Answer
  readonly replayed: boolean
}

// Often enough that nobody notices, seldom enough that nobody suffers.
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
