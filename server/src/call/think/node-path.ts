// The position of a conversation in its graph. A reply may be made to words that turn out not to be said, so a node
// counts only when the reply that came to it begins to be heard.

export class NodePath {
  readonly #onNode: (nodeId: string) => void
  /** The nodes of each reply that has not been said yet, including nodes that are only passed through. */
  readonly #reached = new Map<number, string[]>()
  readonly #told = new Map<number, number>()
  #start: string | undefined
  #last: string | undefined

  /** `start`: the node where the conversation begins, even if its first words are not the node's own. */
  constructor(onNode: (nodeId: string) => void, start?: string) {
    this.#onNode = onNode
    this.#start = start
  }

  /** Continues at the start node, which was reported before. */
  resume(): void {
    this.#last = this.#start
    this.#start = undefined
  }

  reach(generation: number, nodeId: string): void {
    this.#reached.set(generation, [...(this.#reached.get(generation) ?? []), nodeId])
  }

  /** Reports the nodes of a reply that can be heard now, each once. */
  heard(generation: number): void {
    if (this.#start !== undefined) this.#tell(this.#start)
    this.#start = undefined
    const reached = this.#reached.get(generation) ?? []
    for (const nodeId of reached.slice(this.#told.get(generation) ?? 0)) this.#tell(nodeId)
    this.#told.set(generation, reached.length)
  }

  #tell(nodeId: string): void {
    if (nodeId !== this.#last) this.#onNode(nodeId)
    this.#last = nodeId
  }

  /** Forgets a reply that is over, and returns the node that made it. */
  leave(generation: number): string | undefined {
    const nodeId = this.#reached.get(generation)?.at(-1)
    this.forget(generation)
    return nodeId
  }

  forget(generation: number): void {
    this.#reached.delete(generation)
    this.#told.delete(generation)
  }
}
