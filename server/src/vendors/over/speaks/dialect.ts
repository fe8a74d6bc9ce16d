// What one streaming synthesizer is, in terms of the shared half: addresses, messages, how sayings share a connection.

import { z } from 'zod'
import type { SpokenWord, SynthesizerAbilities, SynthesizerOptions } from '../../../ports/synthesizer.ts'
import type { VendorAccount } from '../../../ports/vendor.ts'
import type { OutgoingMessage, SocketAddress, VendorSocketOptions } from '../wire/vendor-socket.ts'
import type { VendorRate } from './pcm.ts'

export type TtsMessage =
  | { readonly type: 'sound'; readonly pcm: Uint8Array }
  /** From the first audio of the saying. */
  | { readonly type: 'words'; readonly words: readonly SpokenWord[] }
  /** What was flushed has been spoken. */
  | { readonly type: 'flushed' }
  /** The same, of a vendor that is flushed after every clause and marks their ends. */
  | { readonly type: 'clause-end' }
  /** Everything that was written has been synthesized. */
  | { readonly type: 'end' }
  /** Nothing of a cancelled saying follows. */
  | { readonly type: 'cleared' }
  /** The vendor gives up, in its own words. */
  | { readonly type: 'failed'; readonly reason: string }
  /** Messages that the vendor is sent now. */
  | { readonly type: 'send'; readonly messages: readonly OutgoingMessage[] }

type KeepAlive = VendorSocketOptions['keepAlive']

export interface TtsDialect {
  /** The vendor's name in error messages. */
  readonly label: string
  /** The header in which the vendor says why it refuses a connection; undefined: the body does. */
  readonly refusalHeader?: string | undefined
  readonly abilities: SynthesizerAbilities
  /** In all that the dialect gets, `rateHz` is the rate of the vendor's audio. */
  connect(options: SynthesizerOptions, account: VendorAccount): SocketAddress | Promise<SocketAddress>
  readonly rateHz?: VendorRate
  readonly keepAlive?: KeepAlive | ((options: SynthesizerOptions) => KeepAlive) | undefined
  /**
   * How the sayings of a call share a connection; undefined: each has its own, which a cancel closes.
   *
   * `by-context`: any number at a time, told apart by `contextOf`.
   * `when-cleared`: one at a time; after a cancel, the next one when decode has returned `cleared`.
   */
  readonly sharing?: 'by-context' | 'when-cleared' | undefined
  /** How many contexts a connection may have; one that was cancelled counts until its `end`. Undefined: any number. */
  readonly mostContexts?: number | undefined
  /** Parses a text; undefined: it is JSON. */
  parse?(text: string): unknown
  /** Which saying a message is about; undefined: all of them. */
  contextOf?(message: unknown): string | undefined
  /** Called for every saying, so what it returns may have state. The id is unique. */
  begin(contextId: string, options: SynthesizerOptions): TtsSaying
}

export interface TtsSaying {
  /** Sent before the first clause. */
  readonly hello?: OutgoingMessage | readonly OutgoingMessage[] | undefined
  write(clause: string): OutgoingMessage | readonly OutgoingMessage[]
  /** Speak what was written now. Undefined: it needs no flush, or must not be flushed so often. */
  flush?(isLast: boolean): OutgoingMessage | readonly OutgoingMessage[] | undefined
  /** No more text; `end` follows. Undefined: it has no such message, and has ended when all is flushed and spoken. */
  finish?(): OutgoingMessage | readonly OutgoingMessage[]
  /** Undefined: it has no such message, and closing the connection or leaving out what follows is the only way. */
  cancel?(): OutgoingMessage | readonly OutgoingMessage[]
  /** Whether nothing of it is under way, so that no `cleared` follows a cancel. Undefined: one always does. */
  isIdle?(): boolean
  /** Decodes its messages: parsed JSON, or bytes, which it reads with `readVendorMessage`. */
  decode(message: unknown): readonly TtsMessage[]
}

/** For tests. */
export type TtsPace = VendorSocketOptions['pace']

/** The times of words are worth less than the sentence: broken ones are left out. */
export const WordLists = z
  .object({
    words: z.array(z.string()),
    start: z.array(z.number()),
    end: z.array(z.number()),
  })
  .catch({ words: [], start: [], end: [] })

export const listedWords = ({ words, start, end }: z.infer<typeof WordLists>): readonly SpokenWord[] =>
  words.map((text, place) => ({
    text,
    startMs: Math.round((start[place] ?? 0) * 1000),
    endMs: Math.round((end[place] ?? start[place] ?? 0) * 1000),
  }))
