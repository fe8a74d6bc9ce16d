// Topics that are refused and words that are never said, however the model streams them.
import { expect, it } from 'vitest'
import type { GuardRails } from '../ports/call-plan.ts'
import type { Embedder } from '../ports/embedder.ts'
import type { LanguageModel, ModelPart, ModelRequest } from '../ports/language-model.ts'
import { ForbiddenPhrases } from './forbidden-phrases.ts'
import { guarded } from './guard-rails.ts'

const usual: GuardRails = {
  topics: [],
  refusal: 'Not that.',
  neverSay: [],
  replacement: 'I cannot say.',
  mask: [],
  records: true,
}

/** Texts about elections point one way, all others another. */
const embedder: Embedder = {
  embed: async (texts) => texts.map((text) => Float32Array.from(/elect|vote/i.test(text) ? [1, 0] : [0, 1])),
}

function opened(rails: Partial<GuardRails>, chunks: readonly (string | ModelPart)[] = [], with_ = embedder) {
  const requests: ModelRequest[] = []
  const notes: string[] = []
  const model: LanguageModel = {
    async *reply(request) {
      requests.push(request)
      for (const chunk of chunks) yield typeof chunk === 'string' ? { type: 'text', text: chunk } : chunk
    },
  }
  const options = { embedder: with_, readsPrompt: true, patienceMs: 50 }
  const guardedModel = guarded(model, {
    ...options,
    rails: { ...usual, ...rails },
    onBroken: (note) => notes.push(note),
  })
  const say = async (content: string, aside = false) => {
    const parts: ModelPart[] = []
    const request = { messages: [{ role: 'user', content } as const], tools: [], isAside: aside }
    for await (const part of guardedModel.reply(request, new AbortController().signal)) parts.push(part)
    const text = parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('')
    return { parts, text }
  }
  return { say, requests, notes, model, guardedModel }
}

it.each<[string, readonly string[], readonly string[], string]>([
  ['in one clause', ['We guarantee it. Bye.'], ['guarantee'], ' I cannot say.'],
  [
    'after other sentences',
    ['Hello there. ', 'We guar', 'antee it. Bye.'],
    ['guarantee*'],
    'Hello there.  I cannot say.',
  ],
  ['letter by letter', [...'You get your money back. Promised.'], ['money back'], ' I cannot say.'],
  [
    'across a comma',
    ['I will give you your money, ', 'back today.'],
    ['money back'],
    'I will give you your  I cannot say.',
  ],
  ['across sentences', ['It is about money. ', 'Back to you.'], ['money back'], 'It is about  I cannot say.'],
  ['with any word between', ['I promise a full refund.'], ['promise * * refund'], ' I cannot say.'],
  ['in other letters', ['WE GUARANTEE IT.'], ['guarantee'], ' I cannot say.'],
  ['without spaces', ['返金', 'します。'], ['返金'], ' I cannot say.'],
])('words that are never said, %s', async (_, chunks, neverSay, spoken) => {
  const { say, notes } = opened({ neverSay }, chunks)
  expect((await say('Hello')).text).toBe(spoken)
  expect(notes).toEqual([`A guard rail held back “${neverSay[0]}”.`])
})

it('everything else is passed on unchanged, and in clauses', async () => {
  const chunks = ['It costs mo', 'ney, of course. ', 'But not ', 'much', '!']
  const { say, notes } = opened({ neverSay: ['money back', 'much too late'] }, chunks)
  const { text, parts } = await say('Hello')
  expect(text).toBe(chunks.join(''))
  expect(parts[0]).toEqual({ type: 'text', text: 'It costs money, of course. ' })
  expect(notes).toEqual([])
})

it('text comes before the tool call that follows it', async () => {
  const call: ModelPart = { type: 'tool-call', call: { id: '1', name: 'look', arguments: '{}' } }
  const { say } = opened({ neverSay: ['look here'] }, ['Let me look', call])
  expect((await say('Hello')).parts).toEqual([{ type: 'text', text: 'Let me look' }, call])
})

const politics = { name: 'politics', examples: ['Who should I vote for?'], words: ['senator*'] }

it('a question about a refused topic does not reach the model', async () => {
  const { say, requests, notes } = opened({ topics: [politics] }, ['Vote for me.'])
  expect((await say('Who wins the election?')).text).toBe('Not that.')
  expect((await say('What about the senators?')).text).toBe('Not that.')
  expect(requests).toEqual([])
  expect(notes).toEqual(Array(2).fill('A guard rail refused the topic “politics”.'))
})

it('an answer about a refused topic is not spoken', async () => {
  const { say, notes } = opened({ topics: [politics] }, ['Sure. ', 'You should vote for the tall one.'])
  expect((await say('Tell me something nice')).text).toBe('Sure.  Not that.')
  expect(notes).toHaveLength(1)
})

it('the model is told, after the prompt of the agent', async () => {
  const { say, requests } = opened({ topics: [politics], neverSay: ['money back'] }, ['Fine.'])
  await say('Hello my friend')
  const [system] = requests[0]?.messages ?? []
  expect(system?.role).toBe('system')
  for (const told of ['politics', 'Not that.', 'money back']) expect(system?.content).toContain(told)
})

it('questions of ours are not the caller’s', async () => {
  const { say } = opened({ topics: [politics] }, ['yes'])
  expect((await say('Caller: who wins the election? Is it over?', true)).text).toBe('yes')
})

it('an embedder that does not answer leaves the words', async () => {
  const silent: Embedder = { embed: () => new Promise(() => {}) }
  const { say } = opened({ topics: [politics] }, ['Fine.'], silent)
  expect((await say('Who wins the election?')).text).toBe('Fine.')
  expect((await say('The senators then?')).text).toBe('Not that.')
})

it('without rails the model stays as it is', () => {
  const { model, guardedModel } = opened({})
  expect(guardedModel).toBe(model)
})

it('a phrase that may go on is held from its first word', () => {
  const phrases = new ForbiddenPhrases(['money back guarantee'])
  expect(phrases.heldFrom('your money')).toBe(5)
  expect(phrases.heldFrom('money is fine')).toBe(13)
})
