// What Gemini's models get of an agent's options.

import { expect, it } from 'vitest'
import { bodyOf, modelRequests, modelSuite, schema } from '../../../test/props/vendors/model-suite.ts'
import { thinks } from './thinks.ts'

modelSuite({
  vendor: thinks,
  model: 'gemini-2.5-flash',
  options: {
    generationConfig: {
      temperature: 0.3,
      maxOutputTokens: 50,
      topP: 0.9,
      topK: 40,
      seed: 7,
      frequencyPenalty: 0.5,
      presencePenalty: 0.25,
      stopSequences: ['END'],
      responseMimeType: 'application/json',
      responseJsonSchema: schema,
      thinkingConfig: { thinkingBudget: 1_024 },
    },
  },
  missing: ['min_p'],
})

modelRequests(
  thinks,
  [
    [
      'https://generativelanguage.googleapis.com',
      undefined,
      'models/gemini-2.5-flash',
      'https://generativelanguage.googleapis.com/v1beta/models/gemini-2.5-flash:streamGenerateContent?alt=sse',
    ],
    ['https://proxy/v1', undefined, 'g', 'https://proxy/v1/models/g:streamGenerateContent?alt=sse'],
  ],
  { 'x-goog-api-key': 'k' },
)

it.each([
  ['gemini-2.0-flash', undefined],
  ['gemini-2.5-flash', { thinkingBudget: 0 }],
  ['gemini-2.5-pro', { thinkingBudget: 128 }],
  ['gemini-3-flash-preview', { thinkingLevel: 'MINIMAL' }],
  ['gemini-3-pro-preview', { thinkingLevel: 'LOW' }],
])('%s thinks as little as it can', (model, thinkingConfig) => {
  const { generationConfig } = bodyOf(thinks, model, {}) as { generationConfig: object }
  expect(generationConfig).toEqual(thinkingConfig ? { thinkingConfig } : {})
})
