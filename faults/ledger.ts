// The ledger of a load of requests: every idempotency key with its acknowledged agent.

export class Ledger {
  /** The key of each acknowledged agent, in order. */
  readonly acknowledged = new Map<string, string>()
  /** Keys that were answered with a second agent. */
  readonly contradicted: string[] = []
  /** Requests repeated because their response never came. */
  retried = 0
  readonly #agentOf = new Map<string, string>()
  readonly #unanswered: string[] = []
  readonly #newKey: () => string

  constructor(newKey: () => string) {
    this.#newKey = newKey
  }

  /** The next key to use: unanswered ones again before new ones. */
  take(): string {
    return this.takeUnanswered() ?? this.#newKey()
  }

  takeUnanswered(): string | undefined {
    const key = this.#unanswered.shift()
    if (key !== undefined) this.retried++
    return key
  }

  giveBack(key: string): void {
    this.#unanswered.push(key)
  }

  acknowledge(key: string, agentId: string): void {
    const before = this.#agentOf.get(key)
    if (before === undefined) {
      this.#agentOf.set(key, agentId)
      this.acknowledged.set(agentId, key)
    } else if (before !== agentId) this.contradicted.push(key)
  }

  /** The latest acknowledged keys, which a crash is most likely to lose. */
  latest(count: number): string[] {
    return [...this.#agentOf.keys()].slice(-count)
  }
}
