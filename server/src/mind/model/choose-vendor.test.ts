// Which vendor of language models a name or an address means.
import { expect, it } from 'vitest'
import { vendorAt, vendorNamed } from './choose-vendor.ts'

it.each([
  ['OpenAI', 'openai'],
  ['azure-openai', 'azure'],
  ['Google', 'gemini'],
  ['llama.cpp', 'llamacpp'],
  ['llama_cpp', 'llamacpp'],
  ['together_ai', 'together'],
  ['Claude', 'anthropic'],
  ['constructor', undefined],
  ['', undefined],
])('the name %j means %s', (name, meant) => {
  expect(vendorNamed(name)).toBe(meant)
})

it.each([
  ['https://api.groq.com/openai/v1', 'groq'],
  ['https://x.openai.azure.com', 'azure'],
  ['https://generativelanguage.googleapis.com/v1beta', 'gemini'],
  ['https://generativelanguage.googleapis.com/v1beta/openai/', 'custom'],
  ['https://api.openai.com.evil.example/v1', undefined],
  ['https://evil.example/api.openai.com', undefined],
])('the address %s is that of %s', (baseUrl, meant) => {
  expect(vendorAt(baseUrl)).toBe(meant)
})
