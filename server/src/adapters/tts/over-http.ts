// The shared half of a synthesizer over HTTP: one request per clause, with streamed audio.
import { Agent, request as send } from 'undici'
import type { RateHz } from '../../media/frame.ts'
import { refusalReason } from '../../platform/vendor-refusal.ts'
import type {
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
  TextSynthesizer,
} from '../../ports/synthesizer.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import { overClauses } from './over-clauses.ts'
import { PcmFrames } from './over-pcm.ts'

export interface TtsRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

export interface TtsHttpDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly languages: SynthesizerAbilities['languages']
  /** The rate of its audio; undefined: the rate of the line was requested. */
  readonly rateHz?: RateHz | undefined
  ask(clause: string, options: SynthesizerOptions, account: VendorAccount): TtsRequest
}

// The reason of a refusal is at the beginning of the body.

/** Connections are kept open between the clauses of a call, which are seconds apart. */
const connections = new Agent({ keepAliveTimeout: 60_000 })

export const overHttp =
  (dialect: TtsHttpDialect) =>
  (account: VendorAccount): Synthesizer => {
    const { label, rateHz } = dialect
    const engine: TextSynthesizer = {
      async *synthesize(clause, options, signal) {
        const { url, headers, body } = dialect.ask(clause, options, account)
        try {
          const dispatcher = connections
          const answer = await send(url, { method: 'POST', headers, body, signal, dispatcher }).catch(
            (cause) => {
              throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
            },
          )
          if (answer.statusCode !== 200)
            throw new Error(
              `${label} answered ${answer.statusCode}${refusalReason(await answer.body.text(), account.credentials)}`,
            )
          const frames = new PcmFrames(rateHz ?? options.rateHz, options.rateHz)
          for await (const chunk of broken(answer.body, label)) yield* frames.push(chunk)
          yield* frames.flush()
        } catch (error) {
          if (!signal.aborted) throw error
        }
      },
    }
    return overClauses(engine, dialect.languages)
  }

async function* broken(body: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new Error(`${label} broke off in the middle of its sound.`, { cause })
  }
}
