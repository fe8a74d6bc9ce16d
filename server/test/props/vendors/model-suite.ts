// What every company of language models gets of an agent's llm_config: a test of a company is a row over this.
import { describe, expect, it } from 'vitest'
import type { ModelRequest } from '../../../src/ports/language-model.ts'
import { readModel } from '../../../src/resources/calls/plan/read-model.ts'
import type { ModelVendor } from '../../../src/vendors/over/thinks/protocol.ts'
import { noteOnMissing, wireOptions } from '../../../src/vendors/over/thinks/wire-options.ts'

const request: ModelRequest = { messages: [{ role: 'user', content: 'Hello' }], tools: [] }

export const schema = { type: 'object', properties: { a: { type: 'string' } } }
const everything = {
  temperature: 0.3,
  max_tokens: 50,
  top_p: 0.9,
  top_k: 40,
  min_p: 0.05,
  frequency_penalty: 0.5,
  presence_penalty: 0.25,
  stop: ['END'],
  seed: 7,
  reasoning_effort: 'low',
  response_format: { type: 'json_schema', json_schema: { name: 'a', schema } },
}
const { top_k, min_p, ...usual } = everything

/** OpenAI's names, of which a row names the exceptions; undefined: the vendor has no such option. */
export const openAiNames = usual
export const openWeightNames = { ...usual, top_k, min_p }

export function bodyOf(vendor: ModelVendor, model: string, llm_config: object): Record<string, unknown> {
  const { options } = readModel({ llm_config })
  return JSON.parse(vendor.protocol.body(model, wireOptions(vendor, model, options), request))
}

export interface ModelSuite {
  readonly vendor: ModelVendor
  readonly model: string
  /** What it gets of every option. */
  readonly options: Readonly<Record<string, unknown>>
  /** Those that it does not have. */
  readonly missing: readonly string[]
  /** What it gets of no option at all. */
  readonly defaults?: readonly string[]
}

export function modelSuite({ vendor, model, options, missing, defaults = [] }: ModelSuite): void {
  describe(`the options of an agent, at ${vendor.label}`, () => {
    it('are all that it has, by its own names', () => {
      const sent = bodyOf(vendor, model, everything)
      for (const name of ['model', 'messages', 'contents', 'stream', 'stream_options']) delete sent[name]
      expect(sent).toEqual(JSON.parse(JSON.stringify(options)))
    })

    it('and a sentence names those that it does not have', () => {
      const note = noteOnMissing(vendor, model, readModel({ llm_config: everything }).options)
      expect(note?.match(/llm_config\.\w+/g) ?? []).toEqual(missing.map((key) => `llm_config.${key}`))
    })

    it('that are not set are not sent, but its own defaults', () => {
      const sent = Object.keys(bodyOf(vendor, model, {}))
      const known = ['model', 'messages', 'contents', 'stream', 'stream_options', 'generationConfig']
      expect(sent.filter((key) => !known.includes(key))).toEqual(defaults)
    })
  })
}

type AddressRow = readonly [baseUrl: string, apiVersion: string | undefined, model: string, url: string]

/** Where its requests go, and which header has the key. */
export function modelRequests(
  vendor: ModelVendor,
  rows: readonly AddressRow[],
  headers?: Readonly<Record<string, string>>,
): void {
  it.each(rows)(`${vendor.label} at %s is asked at its address`, (baseUrl, apiVersion, model, url) => {
    expect(vendor.protocol.url({ baseUrl, apiVersion }, model).href).toBe(url)
  })
  if (headers)
    it(`${vendor.label} gets the key in its own header`, () => {
      expect(vendor.protocol.headers('k')).toEqual(headers)
    })
}
