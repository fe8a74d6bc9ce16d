// What an operation wants written. Gathered while it runs and committed with its answer, all or nothing.
import assert from 'node:assert/strict'
import type { DataOf, InputOf, Operation } from '@parley/contract'
import { type Db, isStale, type OpenTransaction, type Write } from '../platform/db/db.ts'
import type { Verbatim } from './answer.ts'
import type { TextStream } from './text-stream.ts'

export interface Work {
  add(write: Write): void
  /** What is too much to be gathered is written here, and committed with the rest. */
  begin(transaction: OpenTransaction): void
}

/** Only an operation that may write is given `work`, so every `work` there is gets committed. */
export type WorkOf<O extends Operation> = 'GET' extends O['method'] ? unknown : { readonly work: Work }

/** What an operation does, given its input and whatever its door knows about the request. */
export type Doing<O extends Operation, S> = (
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

  /** False when part of it was written as it came in, which works but once. */
  get repeatable(): boolean {
    return this.#begun === undefined
  }

  /** Everything, and these writes with it, or nothing. */
  async commit(db: Db, more: readonly Write[] = []): Promise<void> {
    this.#mustBeOpen()
    this.#over = true
    const writes = [...more, ...this.#writes]
    if (this.#begun) await this.#begun.commit(writes)
    else if (writes.length > 0) await db.atomically(writes)
  }

  /** A write that comes after the commit would be lost. */
  #mustBeOpen(): void {
    assert(!this.#over, 'this work is committed already')
  }
}

// Each further try means that somebody else has moved the same row in between.
export const mostTries = 10

/** Runs it and commits its work. When a row is no longer as it was found, it runs again and sees the row as it is. */
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

/** Runs an operation as every door does where no answer is remembered. */
export function perform<O extends Operation, S extends object>(
  db: Db,
  operation: O,
  doing: Doing<O, S>,
  input: InputOf<O>,
  scope: S,
): ReturnType<Doing<O, S>> {
  // The types agree by the definition of WorkOf, which the compiler cannot follow for an operation it does not know.
  if (operation.method === 'GET') return doing(input, scope as S & WorkOf<O>)
  return committed(db, (work) => doing(input, { ...scope, work } as S & WorkOf<O>))
}
