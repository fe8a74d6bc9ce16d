// Whether a process takes work now, role by role: for load balancers and supervisors.

/**
 * `starting`: not yet. `full`: it runs as many calls as it may. `overloaded`: it takes no more calls, because their sound would be
 * late. `draining`: it stops. `disconnected`: it has lost the database and is about to reconnect.
 */
export type RoleStatus = 'ready' | 'starting' | 'full' | 'overloaded' | 'draining' | 'disconnected'

export interface RoleReport {
  readonly status: RoleStatus
  /** Only for a process that runs calls. */
  readonly calls?: number
  readonly capacity?: number
  readonly free?: number
}

export class Readiness {
  /** True once shutdown was requested: load balancers should stop routing here. */
  draining = false
  readonly #roles: Map<string, () => RoleReport>

  constructor(roles: readonly string[]) {
    this.#roles = new Map(roles.map((role) => [role, () => ({ status: 'starting' })]))
  }

  /** Records that the role has begun its work; `report` returns how it is doing. */
  started(role: string, report: () => RoleReport = () => ({ status: 'ready' })): void {
    this.#roles.set(role, report)
  }

  /** Undefined: this process does not have the role. */
  of(role: string): RoleReport | undefined {
    const report = this.#roles.get(role)?.()
    return report && this.draining ? { ...report, status: 'draining' } : report
  }

  get roles(): Record<string, RoleReport> {
    return Object.fromEntries([...this.#roles.keys()].map((role) => [role, this.of(role) as RoleReport]))
  }

  /** The status of the process as a whole. One that takes no more calls still answers requests. */
  get status(): Exclude<RoleStatus, 'full' | 'overloaded'> {
    if (this.draining) return 'draining'
    const statuses = Object.values(this.roles).map(({ status }) => status)
    return statuses.includes('starting')
      ? 'starting'
      : statuses.includes('disconnected')
        ? 'disconnected'
        : 'ready'
  }
}
