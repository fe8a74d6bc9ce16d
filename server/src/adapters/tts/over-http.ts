// The shared half of a synthesizer over HTTP: one request per clause, with streamed audio.
import { request as send } from 'undici'
import type { RateHz } from '../../media/frame.ts'
import { vendorConnections } from '../../platform/vendor-connections.ts'
import { refusalReason } from '../../platform/vendor-refusal.ts'
import type {
  Synthesizer,
  SynthesizerAbilities,
  SynthesizerOptions,
  TextSynthesizer,
} from '../../ports/synthesizer.ts'
import type { VendorAccount } from '../../ports/vendor.ts'
import { overClauses } from './over-clauses.ts'
import { type PcmEncoding, PcmFrames } from './over-pcm.ts'

export interface TtsRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array
}

export interface TtsHttpDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  readonly languages: SynthesizerAbilities['languages']
  /** The rate of its audio, or the one to request for a line of this rate; undefined: the rate of the line. */
  readonly rateHz?: RateHz | ((lineHz: RateHz) => RateHz) | undefined
  /** Of its audio; undefined: 16-bit PCM. */
  readonly encoding?: PcmEncoding | undefined
  /** In what it gets, `rateHz` is the rate of the vendor's audio. */
  ask(clause: string, options: SynthesizerOptions, account: VendorAccount): TtsRequest | Promise<TtsRequest>
  /** A harmless GET that opens a connection ahead and tells whether the key is valid. */
  warm?(account: VendorAccount): Omit<TtsRequest, 'body'> | Promise<Omit<TtsRequest, 'body'>>
  /** Extracts the audio from an answer that is more than audio. */
  readSound?(body: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

export const overHttp =
  (dialect: TtsHttpDialect) =>
  (account: VendorAccount): Synthesizer => {
    const { label } = dialect
    const engine: TextSynthesizer = {
      async *synthesize(clause, options, signal) {
        const rateHz = rateOf(dialect, options.rateHz)
        try {
          const { url, headers, body } = await dialect.ask(clause, { ...options, rateHz }, account)
          const dispatcher = vendorConnections(account.lookup)
          const answer = await send(url, { method: 'POST', headers, body, signal, dispatcher }).catch(
            (cause) => {
              throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
            },
          )
          if (answer.statusCode !== 200)
            throw new Error(
              `${label} answered ${answer.statusCode}${refusalReason(await answer.body.text(), account.credentials)}`,
            )
          const frames = new PcmFrames(rateHz, options.rateHz, dialect.encoding)
          const sound = dialect.readSound?.(answer.body) ?? answer.body
          for await (const chunk of broken(sound, label)) yield* frames.push(chunk)
          yield* frames.flush()
        } catch (error) {
          if (!signal.aborted) throw error
        }
      },
    }
    const { warm } = dialect
    return {
      ...overClauses(engine, dialect.languages),
      ...(warm && { warm: async (_, signal) => warmUp(label, await warm(account), account, signal) }),
    }
  }

async function warmUp(
  label: string,
  { url, headers }: Omit<TtsRequest, 'body'>,
  { credentials, lookup }: VendorAccount,
  signal: AbortSignal,
): Promise<void> {
  const answer = await send(url, { headers, signal, dispatcher: vendorConnections(lookup) }).catch(
    (cause) => {
      throw new Error(`${label} cannot be reached (${cause.code ?? cause.name}).`, { cause })
    },
  )
  const text = await answer.body.text()
  // Whoever serves speech only may have nothing else: all that matters is whether the key was refused.
  if (answer.statusCode === 401 || answer.statusCode === 403)
    throw new Error(`${label} answered ${answer.statusCode}${refusalReason(text, credentials)}`)
}

const rateOf = ({ rateHz }: TtsHttpDialect, lineHz: RateHz): RateHz =>
  typeof rateHz === 'function' ? rateHz(lineHz) : (rateHz ?? lineHz)

async function* broken(body: AsyncIterable<Uint8Array>, label: string): AsyncGenerator<Uint8Array> {
  try {
    yield* body
  } catch (cause) {
    throw new Error(`${label} broke off in the middle of its sound.`, { cause })
  }
}
