// Files in memory, the least recently used of which makes room for others.

export class RecentFiles {
  readonly #mostBytes: number
  /** In the order of their use. */
  readonly #files = new Map<string, Uint8Array>()
  #bytes = 0

  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes
  }

  get(name: string): Uint8Array | undefined {
    const file = this.#files.get(name)
    if (file) {
      this.#files.delete(name)
      this.#files.set(name, file)
    }
    return file
  }

  add(name: string, file: Uint8Array): void {
    this.remove(name)
    this.#files.set(name, file)
    this.#bytes += file.length
    for (const oldest of this.#files.keys()) {
      if (this.#bytes <= this.#mostBytes) return
      this.remove(oldest)
    }
  }

  remove(name: string): void {
    this.#bytes -= this.#files.get(name)?.length ?? 0
    this.#files.delete(name)
  }
}
