// The pronunciation dictionary: how names and words are said in calls.
import { voiceAddresses as addresses } from '@parley/contract/addresses'
import type { Page, PageQuery, RequestOptions } from './requests.ts'
import { requestTo, send, type TransportOptions } from './transport.ts'
import type { NewPronunciation, Pronunciation, PronunciationChange } from './wire.ts'

export class Pronunciations {
  readonly #transport: TransportOptions

  constructor(transport: TransportOptions) {
    this.#transport = transport
  }

  /** Adds a word, with `say_as`, `ipa` or both. */
  create(body: NewPronunciation, { idempotencyKey }: RequestOptions = {}): Promise<Pronunciation> {
    return send(this.#transport, { ...requestTo(addresses.createPronunciation), body, idempotencyKey })
  }

  list(query: PageQuery & { agent_id?: string; language?: string } = {}): Promise<Page<Pronunciation>> {
    return send(this.#transport, { ...requestTo(addresses.listPronunciations), query })
  }

  get(pronunciationId: string): Promise<Pronunciation> {
    return send(this.#transport, requestTo(addresses.getPronunciation, { id: pronunciationId }))
  }

  update(pronunciationId: string, body: PronunciationChange): Promise<Pronunciation> {
    return send(this.#transport, {
      ...requestTo(addresses.updatePronunciation, { id: pronunciationId }),
      body,
    })
  }

  delete(pronunciationId: string): Promise<{ pronunciation_id: string; deleted: true }> {
    return send(this.#transport, requestTo(addresses.deletePronunciation, { id: pronunciationId }))
  }
}
