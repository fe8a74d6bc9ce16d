// Digits that the agent sends to a simulated callee, one at a time, at the speed of real DTMF tones.

interface PendingDigits {
  readonly digits: string
  place: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

// 100 ms of tone and 100 ms of pause, as media/dtmf.ts plays them.
const digitMs = 200

export class DigitPacer {
  readonly #onDigit: (digit: string) => void
  readonly #waiting: PendingDigits[] = []
  #nextMs = 0

  constructor(onDigit: (digit: string) => void) {
    this.#onDigit = onDigit
  }

  send(digits: string): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    this.#waiting.push({ digits, place: 0, resolve, reject })
    return promise
  }

  tick(nowMs: number): void {
    const sending = this.#waiting[0]
    if (!sending || nowMs < this.#nextMs) return
    const digit = sending.digits[sending.place++]
    if (digit === undefined) {
      this.#waiting.shift()
      sending.resolve()
      return
    }
    this.#nextMs = nowMs + digitMs
    this.#onDigit(digit)
  }

  close(error: Error): void {
    for (const { reject } of this.#waiting.splice(0)) reject(error)
  }
}
