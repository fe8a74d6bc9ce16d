// What was asked and what was promised: every idempotency key with the agent that was acknowledged for it.

export class Ledger {
  /** The key of each acknowledged agent, in the order of the promises. */
  readonly acknowledged = new Map<string, string>()
  /** Keys that were given a second agent. */
  readonly contradicted: string[] = []
  /** How many requests were asked again because their answer never came. */
  retried = 0
  private readonly agentOf = new Map<string, string>()
  private readonly unanswered: string[] = []
  private readonly newKey: () => string

  constructor(newKey: () => string) {
    this.newKey = newKey
  }

  /** The next key to ask with: one that got no answer, under the same name, before a new one. */
  take(): string {
    return this.takeUnanswered() ?? this.newKey()
  }

  takeUnanswered(): string | undefined {
    const key = this.unanswered.shift()
    if (key !== undefined) this.retried++
    return key
  }

  giveBack(key: string): void {
    this.unanswered.push(key)
  }

  acknowledge(key: string, agentId: string): void {
    const before = this.agentOf.get(key)
    if (before === undefined) {
      this.agentOf.set(key, agentId)
      this.acknowledged.set(agentId, key)
    } else if (before !== agentId) this.contradicted.push(key)
  }

  /** The keys of the latest promises, which a crash is most likely to break. */
  latest(count: number): string[] {
    return [...this.agentOf.keys()].slice(-count)
  }
}
