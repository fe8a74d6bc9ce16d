// The writes of an operation, collected while it runs and committed atomically with its answer.
import assert from 'node:assert/strict'
import type { DataOf, InputOf, Operation } from '@parley/contract'
import { type Db, isStale, type OpenTransaction, type Write } from '../platform/db/db.ts'
import type { Verbatim } from './answer.ts'
import type { TextStream } from './body/text-stream.ts'

export interface Work {
  add(write: Write): void
  /** For data too large to be collected: written in this transaction, which is committed with the rest. */
  begin(transaction: OpenTransaction): void
}

/** Only operations that may write are given `work`, so every `work` is committed. */
export type WorkOf<O extends Operation> = 'GET' extends O['method'] ? unknown : { readonly work: Work }

/** The implementation of an operation: takes its input and what its door knows about the request. */
export type OperationHandler<O extends Operation, S> = (
  input: InputOf<O>,
  scope: S & WorkOf<O>,
) => Promise<DataOf<O> | Verbatim | TextStream>

export class PendingWork implements Work {
  readonly #writes: Write[] = []
  #begun: OpenTransaction | undefined
  #over = false

  add(write: Write): void {
    this.#mustBeOpen()
    this.#writes.push(write)
  }

  begin(transaction: OpenTransaction): void {
    this.#mustBeOpen()
    this.#begun = transaction
  }

  /** False if part of it was streamed from the request, which cannot be repeated. */
  get repeatable(): boolean {
    return this.#begun === undefined
  }

  /** Commits everything, together with these writes, or nothing. */
  async commit(db: Db, more: readonly Write[] = []): Promise<void> {
    this.#mustBeOpen()
    this.#over = true
    const writes = [...more, ...this.#writes]
    if (this.#begun) await this.#begun.commit(writes)
    else if (writes.length > 0) await db.atomically(writes)
  }

  /** A write after the commit would be lost. */
  #mustBeOpen(): void {
    assert(!this.#over, 'this work is already committed')
  }
}

// Each retry means that another request changed the same row meanwhile.
export const mostTries = 10

/** Runs `act` and commits its work. If a row has changed since it was read, runs it again. */
export async function committed<T>(db: Db, act: (work: Work) => Promise<T>): Promise<T> {
  for (let left = mostTries; ; left--) {
    const work = new PendingWork()
    const answer = await act(work)
    try {
      await work.commit(db)
      return answer
    } catch (error) {
      if (!isStale(error) || !work.repeatable || left === 1) throw error
    }
  }
}

/** Runs an operation whose answer is not stored; all doors use it. */
export function perform<O extends Operation, S extends object>(
  db: Db,
  operation: O,
  doing: OperationHandler<O, S>,
  input: InputOf<O>,
  scope: S,
): ReturnType<OperationHandler<O, S>> {
  // The types agree by the definition of WorkOf, which the compiler cannot evaluate for a generic operation.
  if (operation.method === 'GET') return doing(input, scope as S & WorkOf<O>)
  return committed(db, (work) => doing(input, { ...scope, work } as S & WorkOf<O>))
}
