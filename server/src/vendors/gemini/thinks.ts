// Gemini's models, over its streamed generateContent.
import {
  as,
  hostsAt,
  type ModelProtocol,
  type ModelVendor,
  schemaOf,
  type WireOptions,
} from '../over/thinks/protocol.ts'
import { account, host } from './account.ts'
import { GeminiReader } from './read-answer.ts'
import { geminiBody } from './request-body.ts'

/** How refusals speak of an option; they seldom use its name. */
const named: Readonly<Record<string, RegExp>> = {
  thinkingConfig: /thinking/i,
  frequencyPenalty: /frequency.?penalty|\bpenalty\b/i,
  presencePenalty: /presence.?penalty|\bpenalty\b/i,
  topK: /top.?k\b/i,
  topP: /top.?p\b/i,
  maxOutputTokens: /max.?output.?tokens/i,
  stopSequences: /stop.?sequences/i,
  responseMimeType: /response.?mime.?type/i,
  responseJsonSchema: /response.?json.?schema/i,
  temperature: /temperature/i,
  seed: /\bseed\b/i,
}

const protocol: ModelProtocol = {
  url({ baseUrl }, model) {
    const url = new URL(baseUrl)
    const path = url.pathname.replace(/(?<!\/)\/+$/, '')
    const versioned = /\/v\d\w*$/.test(path) ? path : `${path}/v1beta`
    const name = encodeURIComponent(model.replace(/^models\//, ''))
    url.pathname = `${versioned}/models/${name}:streamGenerateContent`
    url.searchParams.set('alt', 'sse')
    return url
  },
  headers: (apiKey) => account.headersOf({ credentials: { apiKey } }),
  body: geminiBody,
  openReader: () => new GeminiReader(),
  without(options, { reason }): WireOptions | undefined {
    const refused = Object.keys(options).find((name) => named[name]?.test(reason))
    if (refused === undefined) return undefined
    const { [refused]: _, ...left } = options
    return left
  },
}

const efforts = ['none', 'minimal', 'low', 'medium', 'high']
const budgets: Readonly<Record<string, number>> = {
  none: 0,
  minimal: 0,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
}

/** The second generation counts tokens, the later ones have levels. */
function thinkingConfig(effort: string, model: string): WireOptions {
  const known = efforts.includes(effort) ? effort : 'high'
  const isPro = model.includes('pro')
  if (/gemini-2/.test(model)) {
    // The larger model always thinks, this little at least.
    const budget = Math.max(isPro ? 128 : 0, budgets[known] ?? 0)
    return { thinkingConfig: { thinkingBudget: budget } }
  }
  const level =
    isPro && efforts.indexOf(known) < efforts.indexOf('low') ? 'low' : known.replace('none', 'minimal')
  return { thinkingConfig: { thinkingLevel: level.toUpperCase() } }
}

/** A caller waits for the first word: as little thinking as the model allows. */
const leastThinking = (model: string): WireOptions =>
  /gemini-(2\.5|[3-9])/.test(model) ? thinkingConfig('none', model) : {}

const baseUrl = `https://${host}`

export const thinks: ModelVendor = {
  label: account.label,
  baseUrl,
  hosts: hostsAt(baseUrl),
  needsKey: true,
  promptCache: 'automatic',
  options: {
    temperature: as('temperature'),
    maxTokens: as('maxOutputTokens'),
    topP: as('topP'),
    topK: as('topK'),
    frequencyPenalty: as('frequencyPenalty'),
    presencePenalty: as('presencePenalty'),
    stop: as('stopSequences'),
    seed: as('seed'),
    reasoningEffort: thinkingConfig,
    responseFormat(format) {
      const schema = schemaOf(format)
      return { responseMimeType: 'application/json', ...(schema && { responseJsonSchema: schema }) }
    },
  },
  defaults: leastThinking,
  protocol,
}
