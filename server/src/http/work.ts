// What an operation wants written. Gathered while it runs and committed with its answer, all or nothing.
import type { Db, OpenTransaction, Write } from '../platform/db/db.ts'

export interface Work {
  add(write: Write): void
  /** What is too much to be gathered is written here, and committed with the rest. */
  begin(transaction: OpenTransaction): void
}

export class PendingWork implements Work {
  readonly #writes: Write[] = []
  #begun: OpenTransaction | undefined

  add(write: Write): void {
    this.#writes.push(write)
  }

  begin(transaction: OpenTransaction): void {
    this.#begun = transaction
  }

  /** Everything, and these writes with it, or nothing. */
  async commit(db: Db, more: readonly Write[] = []): Promise<void> {
    const writes = [...more, ...this.#writes]
    if (this.#begun) await this.#begun.commit(writes)
    else if (writes.length > 0) await db.atomically(writes)
  }
}
