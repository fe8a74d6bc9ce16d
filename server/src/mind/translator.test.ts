// Translation by a language model: every line has its translation, or the whole fails.
import { expect, it } from 'vitest'
import type { LanguageModel, ModelRequest } from '../ports/language-model.ts'
import { modelTranslator } from './translator.ts'

/** Replies as scripted, in small parts, and keeps the requests. */
function model(...answers: ((lines: Record<string, string>) => string)[]) {
  const asked: Record<string, string>[] = []
  const it: LanguageModel = {
    async *reply({ messages }: ModelRequest) {
      const lines = JSON.parse(messages.at(-1)?.content ?? '')
      asked.push(lines)
      const text = (answers.length > 1 ? answers.shift() : answers[0])?.(lines) ?? ''
      for (let at = 0; at < text.length; at += 7) yield { type: 'text', text: text.slice(at, at + 7) }
    },
  }
  return { asked, translator: modelTranslator(it) }
}

const upper = (lines: Record<string, string>) =>
  JSON.stringify(Object.fromEntries(Object.entries(lines).map(([at, text]) => [at, text.toUpperCase()])))
const signal = AbortSignal.timeout(10_000)

it('returns one text per line, in order, a page at a time', async () => {
  const texts = Array.from({ length: 90 }, (_, at) => `line ${at}`)
  const { asked, translator } = model(upper)
  expect(await translator.translate(texts, 'de', signal)).toEqual(texts.map((text) => text.toUpperCase()))
  expect(asked.map((page) => Object.keys(page).length)).toEqual([40, 40, 10])
})

it('parses an answer in a code fence or a sentence', async () => {
  const { translator } = model(
    (lines) => `Here you are:\n\`\`\`json\n${upper(lines)}\n\`\`\`\nAnything else?`,
  )
  expect(await translator.translate(['a', 'b'], 'de', signal)).toEqual(['A', 'B'])
})

it('retries when a line is missing, and fails when it stays missing', async () => {
  const short = () => '{"0":"A"}'
  const { asked, translator } = model(short, upper)
  expect(await translator.translate(['a', 'b'], 'de', signal)).toEqual(['A', 'B'])
  expect(asked).toHaveLength(2)
  await expect(model(short).translator.translate(['a', 'b'], 'de', signal)).rejects.toThrow(
    /did not translate every line/,
  )
})

it('sends nothing when there is no speech', async () => {
  const { asked, translator } = model(upper)
  expect(await translator.translate([], 'de', signal)).toEqual([])
  expect(asked).toEqual([])
})
