// A transfer that the far end carries out: asked for with REFER, reported with NOTIFY (RFC 3515).
import type { TransferProgress, TransferResult } from '../../../ports/line.ts'
import type { SipCause } from '../call/call-parts.ts'
import { carrierCauseOf, causeOfStatus, lineEndOf } from '../call/causes.ts'
import type { RequestResult } from './link.ts'

export class BlindTransfer {
  readonly result: Promise<TransferResult>
  readonly #resolve: (result: TransferResult) => void
  readonly #onProgress: (is: TransferProgress) => void
  #isAccepted = false

  constructor(onProgress: (is: TransferProgress) => void) {
    const { promise, resolve } = Promise.withResolvers<TransferResult>()
    this.result = promise
    this.#resolve = resolve
    this.#onProgress = onProgress
  }

  /** The answer to our REFER: acceptance is no success yet. */
  asked(answer: RequestResult): void {
    if (answer.is === 'refused') {
      this.#resolve({ ...failure(answer.cause), isRefused: true })
      return
    }
    this.#isAccepted = true
    this.#onProgress('trying')
  }

  /** 1xx: it goes on. 2xx: they talk. Anything else: they do not, and the call goes on with us. */
  progress(status: number): void {
    if (status >= 300) this.#resolve(failure(causeOfStatus(status)))
    else if (status >= 200) this.#resolve({ is: 'completed' })
    else if (status >= 180) this.#onProgress('ringing')
  }

  /** A transferred call is hung up by the far end: that is its success, if it had accepted. */
  ended(): void {
    this.#resolve(
      this.#isAccepted ? { is: 'completed' } : failure(causeOfStatus(487, 'The call ended first')),
    )
  }
}

const failure = (cause: SipCause): Extract<TransferResult, { readonly is: 'failed' }> => ({
  is: 'failed',
  reason: cause.text,
  cause: lineEndOf(cause),
  carrierCause: carrierCauseOf(cause),
})
