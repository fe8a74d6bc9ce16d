// Where in its graph a conversation is. A reply may be made to words that turn out not to be said, so a node counts when
// the reply that came to it begins to be heard.

export class NodePath {
  readonly #onNode: (nodeId: string) => void
  /** The nodes of each reply that has not been said yet, those that are only passed through included. */
  readonly #reached = new Map<number, string[]>()
  readonly #told = new Map<number, number>()
  #last: string | undefined

  constructor(onNode: (nodeId: string) => void) {
    this.#onNode = onNode
  }

  reach(generation: number, nodeId: string): void {
    this.#reached.set(generation, [...(this.#reached.get(generation) ?? []), nodeId])
  }

  /** The reply can be heard: tells the nodes that it came through, each once. */
  heard(generation: number): void {
    const reached = this.#reached.get(generation) ?? []
    for (const nodeId of reached.slice(this.#told.get(generation) ?? 0)) {
      if (nodeId !== this.#last) this.#onNode(nodeId)
      this.#last = nodeId
    }
    this.#told.set(generation, reached.length)
  }

  /** The node that made the reply, which is over. */
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
