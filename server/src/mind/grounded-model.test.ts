// What a model is told about the caller's words, and what happens when nothing is found or nobody answers.
import { expect, it } from 'vitest'
import type { KnowledgeQuestion, Passage } from '../ports/knowledge.ts'
import type { LanguageModel, ModelPart, ModelRequest } from '../ports/language-model.ts'
import { groundedModel } from './grounded-model.ts'

const passage = (text: string, score: number): Passage => ({
  documentId: 'd',
  chunkId: `c-${text}`,
  title: 'Prices',
  heading: 'Fees > Children',
  text,
  score,
})

function openMind(
  found: readonly Passage[] | Error,
  more: { readsPrompt?: boolean; isOnlySource?: boolean } = {},
) {
  const { readsPrompt = true, isOnlySource = true } = more
  const requests: ModelRequest[] = []
  const questions: KnowledgeQuestion[] = []
  const troubles: string[] = []
  const model: LanguageModel = {
    async *reply(request) {
      requests.push(request)
      yield { type: 'text', text: 'Yes.' }
    },
  }
  const mind = groundedModel(model, {
    knowledge: {
      async search(question) {
        questions.push(question)
        if (found instanceof Error) throw found
        return found
      },
      prepare() {},
    },
    plan: { repositoryIds: ['r'], isOnlySource },
    readsPrompt,
    onTrouble: (sentence) => troubles.push(sentence),
  })
  const ask = async (...said: string[]): Promise<ModelPart[]> => {
    const users = said.map((content) => ({ role: 'user', content }) as const)
    const messages = [{ role: 'system', content: 'Be brief.' } as const, ...users]
    return partsOf(mind.reply({ messages, tools: [] }, new AbortController().signal))
  }
  return { mind, ask, requests, questions, troubles }
}

async function partsOf(reply: AsyncIterable<ModelPart>): Promise<ModelPart[]> {
  const parts: ModelPart[] = []
  for await (const part of reply) parts.push(part)
  return parts
}

const question = 'Do children pay for a visit?'

it('the passages that fit are part of the prompt, and are told as sources', async () => {
  const { ask, requests, questions } = openMind([passage('Children pay nothing.', 0.7), passage('Far.', 0.1)])
  expect(await ask(question)).toEqual([
    { type: 'sources', passages: [passage('Children pay nothing.', 0.7)] },
    { type: 'text', text: 'Yes.' },
  ])
  expect(questions).toEqual([{ repositoryIds: ['r'], query: question }])
  const [system, ...rest] = requests[0]?.messages ?? []
  expect(system?.content).toMatch(
    /^Be brief\.\n\n[\s\S]*\[1\] Prices > Fees > Children\nChildren pay nothing\.\n\n/,
  )
  expect(system?.content).toContain('Answer from these passages only.')
  expect(system?.content).not.toContain('Far.')
  expect(rest).toEqual([{ role: 'user', content: question }])
})

it('a model that does not read prompts is given the passages themselves', async () => {
  const { ask, requests } = openMind([passage('Children pay nothing.', 0.7)], { readsPrompt: false })
  await ask(question)
  expect(requests[0]?.passages).toEqual([passage('Children pay nothing.', 0.7)])
  expect(requests[0]?.messages[0]?.content).toBe('Be brief.')
})

it('the model prepares itself while the knowledge base is being asked', async () => {
  const prepared = Promise.withResolvers<ModelRequest>()
  const model: LanguageModel = { prepare: prepared.resolve, async *reply() {} }
  const knowledge = {
    // Ends only because the model was told before the answer is there.
    search: () => prepared.promise.then(() => []),
    prepare() {},
  }
  const plan = { repositoryIds: ['r'], isOnlySource: true }
  const mind = groundedModel(model, { knowledge, plan, readsPrompt: false, onTrouble() {} })
  const asked: ModelRequest = { messages: [{ role: 'user', content: question }], tools: [] }
  await partsOf(mind.reply(asked, new AbortController().signal))
  expect(await prepared.promise).toBe(asked)
})

it('if nothing fits, an agent that has no other source is told to say so', async () => {
  const strict = openMind([passage('Far.', 0.1)])
  expect((await strict.ask(question))[0]).toEqual({ type: 'sources', passages: [] })
  expect(strict.requests[0]?.messages[0]?.content).toContain('say that you do not know')
  const free = openMind([], { isOnlySource: false })
  await free.ask(question)
  expect(free.requests[0]?.messages[0]?.content).not.toContain('say that you do not know')
})

it('if the knowledge base fails, the call goes on without it, and its record says so', async () => {
  const { ask, requests, troubles } = openMind(new Error('The database is away.'))
  expect(await ask(question)).toEqual([{ type: 'text', text: 'Yes.' }])
  expect(requests[0]?.messages[0]?.content).toBe('Be brief.')
  expect(troubles).toEqual(['The knowledge base was not asked: The database is away.'])
})

it('the same words are looked up once, and a few words together with those before', async () => {
  const { ask, questions } = openMind([])
  await ask(question)
  await ask(question)
  await ask(question, 'And adults?')
  expect(questions.map(({ query }) => query)).toEqual([question, `${question} And adults?`])
})

it('questions of ours about the conversation are not looked up', async () => {
  const { mind, questions } = openMind([])
  const messages = [{ role: 'user', content: question } as const]
  const request = { messages, tools: [], isAside: true }
  await partsOf(mind.reply(request, new AbortController().signal))
  expect(questions).toEqual([])
})
