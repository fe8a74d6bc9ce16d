// The shared half of a streaming synthesizer: sayings over the connections of a call, cancelling, the end.
import type {
  SynthesisStream,
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
} from '../../../ports/synthesizer.ts'
import type { VendorAccount } from '../../../ports/vendor.ts'
import { TtsConnection } from './connection.ts'
import type { TtsDialect, TtsPace } from './dialect.ts'

export const overSocket =
  (dialect: TtsDialect, pace?: TtsPace) =>
  (account: VendorAccount): Synthesizer =>
    new SocketSynthesizer(dialect, account, pace)

/** The connections of one call. */
class SocketSynthesizer implements Synthesizer {
  readonly abilities: SynthesizerAbilities
  readonly #dialect: TtsDialect
  readonly #account: VendorAccount
  readonly #pace: TtsPace
  readonly #connections = new Set<TtsConnection>()

  constructor(dialect: TtsDialect, account: VendorAccount, pace: TtsPace) {
    this.abilities = dialect.abilities
    this.#dialect = dialect
    this.#account = account
    this.#pace = pace
  }

  open(options: SynthesizerOptions, signal: AbortSignal): SynthesisStream {
    return this.#connectionFor(options).say(signal)
  }

  async warm(options: SynthesizerOptions, signal: AbortSignal): Promise<void> {
    await this.#connectionFor(options).ready(signal)
  }

  close(): void {
    for (const connection of this.#connections) connection.close()
  }

  #connectionFor(options: SynthesizerOptions): TtsConnection {
    const key = JSON.stringify(options)
    for (const connection of this.#connections)
      if (connection.key === key && connection.isFree) return connection
    const connection = new TtsConnection(this.#dialect, this.#account, {
      key,
      options,
      pace: this.#pace,
      onGone: () => this.#connections.delete(connection),
    })
    this.#connections.add(connection)
    return connection
  }
}
