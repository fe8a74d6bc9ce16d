// Step 5: a repeated POST gets the answer of the first one and has no effect.
//
// A stored answer is looked for before the body is read. Nearly every POST is new: it claims nothing, and its writes
// are committed together with its answer, under a unique key. A duplicate at the same time, even in another process
// or after a crash, violates that key, leaves nothing behind, and is given the stored answer instead.
//
// Side effects outside the database cannot be undone that way: such an operation claims its key before it acts, and a
// duplicate waits for its answer.

import type { IncomingHttpHeaders } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { limits } from '@parley/contract'
import { sha256 } from '../platform/secrets.ts'
import type { Answer } from './answer.ts'
import { fail } from './failure.ts'
import type { AnswerStore } from './idempotency-store.ts'
import { mostTries, type PendingWork } from './work.ts'

export interface AnsweredAttempt {
  readonly answer: Answer
  readonly work: PendingWork
}

/**
 * The operation's effects are inside the database, outside it, or streamed from the request, which cannot be repeated.
 */
export type Manner = 'inside' | 'outside' | 'upload'

export interface AttemptResult {
  readonly answer: Answer
  readonly isReplay: boolean
}

// A wait that is short enough not to be noticed and long enough not to load the database.
const waitMs = 100

export class Idempotency {
  readonly #underWay = new Map<string, Promise<unknown>>()
  readonly #answers: AnswerStore

  constructor(answers: AnswerStore) {
    this.#answers = answers
  }

  keyOf(apiKeyId: string, path: string, headers: IncomingHttpHeaders): Buffer {
    const given = headers['idempotency-key']
    const key = (Array.isArray(given) ? given.join() : (given ?? '')).trim()
    if (key === '') fail('IDEMPOTENCY_KEY_REQUIRED')
    if (key.length > limits.idempotencyKeyCharacters) {
      const message = `Must be at most ${limits.idempotencyKeyCharacters} characters long.`
      fail('VALIDATION_ERROR', { details: [{ path: 'Idempotency-Key', message }] })
    }
    return sha256(`${apiKeyId}\n${path}\n${key}`)
  }

  /** The stored answer, if there is one. A request under way in this process is awaited first. */
  async replay(cacheKey: Buffer): Promise<Answer | undefined> {
    await this.#underWay.get(nameOf(cacheKey))?.catch(() => {})
    return this.#stored(cacheKey)
  }

  /** `attempt` resolves for every answer below 500, refusals included, and throws for the rest. */
  async once(
    cacheKey: Buffer,
    manner: Manner,
    attempt: () => Promise<AnsweredAttempt>,
  ): Promise<AttemptResult> {
    const name = nameOf(cacheKey)
    for (let before = this.#underWay.get(name); before; before = this.#underWay.get(name)) {
      await before.catch(() => {})
      const answer = await this.#stored(cacheKey)
      if (answer) return { answer, isReplay: true }
    }
    const running =
      manner === 'outside'
        ? this.#outside(cacheKey, attempt)
        : this.#inside(cacheKey, attempt, manner === 'upload' ? 1 : mostTries)
    this.#underWay.set(name, running)
    try {
      return await running
    } finally {
      this.#underWay.delete(name)
    }
  }

  async #stored(cacheKey: Buffer): Promise<Answer | undefined> {
    const known = await this.#answers.find(cacheKey)
    return known === 'claimed' ? undefined : known
  }

  async #inside(
    cacheKey: Buffer,
    attempt: () => Promise<AnsweredAttempt>,
    most: number,
  ): Promise<AttemptResult> {
    for (let left = most; left > 0; left--) {
      const { answer, work } = await attempt()
      const outcome = await this.#answers.commit(cacheKey, answer, work)
      if (outcome === 'committed') return { answer, isReplay: false }
      if (outcome === 'stale') continue
      const stored = await this.#stored(cacheKey)
      if (stored) return { answer: stored, isReplay: true }
    }
    throw new Error('the rows of this request keep changing, or an expired answer cannot be replaced')
  }

  async #outside(cacheKey: Buffer, attempt: () => Promise<AnsweredAttempt>): Promise<AttemptResult> {
    while (!(await this.#answers.claim(cacheKey))) {
      const stored = await this.#answers.find(cacheKey)
      if (stored && stored !== 'claimed') return { answer: stored, isReplay: true }
      if (stored) await sleep(waitMs)
    }
    try {
      const { answer, work } = await attempt()
      await this.#answers.fulfil(cacheKey, answer, work)
      return { answer, isReplay: false }
    } catch (error) {
      await this.#answers.drop(cacheKey).catch(() => {})
      throw error
    }
  }
}

const nameOf = (cacheKey: Buffer): string => cacheKey.toString('base64')
