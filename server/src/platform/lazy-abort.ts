/** An AbortController that is only made when somebody asks for its signal: most work ends before anyone does. */
export class LazyAbort {
  #made: AbortController | undefined

  get #controller(): AbortController {
    this.#made ??= new AbortController()
    return this.#made
  }

  get signal(): AbortSignal {
    return this.#controller.signal
  }

  get aborted(): boolean {
    return this.#made?.signal.aborted ?? false
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason)
  }
}
