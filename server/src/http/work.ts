// What an operation wants written. Gathered while it runs and committed with its answer, all or nothing.
import type { Write } from '../platform/db.ts'

export interface Work {
  add(write: Write): void
}

export class PendingWork implements Work {
  readonly writes: Write[] = []

  add(write: Write): void {
    this.writes.push(write)
  }
}
