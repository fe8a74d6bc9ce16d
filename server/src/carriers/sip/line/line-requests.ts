// What a line has asked its signalling for and waits for: a new offer, a transfer.
import { causeOfStatus } from '../call/causes.ts'
import type { RequestResult, ToSignalling } from './link.ts'

export class LineRequests {
  readonly #post: (message: ToSignalling) => void
  readonly #waiting = new Map<number, (result: RequestResult) => void>()
  #last = 0

  constructor(post: (message: ToSignalling) => void) {
    this.#post = post
  }

  ask(make: (request: number) => ToSignalling): Promise<RequestResult> {
    const request = ++this.#last
    return new Promise((resolve) => {
      this.#waiting.set(request, resolve)
      this.#post(make(request))
    })
  }

  settle(request: number, result: RequestResult): void {
    this.#waiting.get(request)?.(result)
    this.#waiting.delete(request)
  }

  /** The call is over: nothing more is answered. */
  close(): void {
    const over: RequestResult = { is: 'refused', cause: causeOfStatus(481, 'The call ended first') }
    for (const resolve of this.#waiting.values()) resolve(over)
    this.#waiting.clear()
  }
}
