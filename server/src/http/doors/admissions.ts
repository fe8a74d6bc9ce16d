// Long-lived connections: each is closed as soon as its user has lost the right to it.
import type { Db } from '../../platform/db/db.ts'

interface OpenConnection {
  once(event: 'close', gone: () => void): unknown
  destroy(): unknown
}

interface Admission {
  readonly check: () => Promise<unknown>
  readonly connection: OpenConnection
}

export class Admissions {
  readonly #admitted = new Set<Admission>()

  /** `check` rejects when the connection is to be ended. */
  watch(check: () => Promise<unknown>, connection: OpenConnection): void {
    const admission = { check, connection }
    this.#admitted.add(admission)
    connection.once('close', () => this.#admitted.delete(admission))
  }

  /** Call it when somebody's rights may have changed. */
  readonly recheck = (): void => {
    for (const { check, connection } of this.#admitted) check().catch(() => connection.destroy())
  }
}

/** Rechecks whenever the rights of anybody change, in whichever process. */
export async function openAdmissions(db: Db): Promise<{ admissions: Admissions; close(): Promise<void> }> {
  const admissions = new Admissions()
  const ear = await db.listen('people', {
    notice: admissions.recheck,
    resumed: admissions.recheck,
  })
  return { admissions, close: () => ear.close() }
}
