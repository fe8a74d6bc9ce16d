// The policy behind the language-model port.
import { describe, expect, it } from 'vitest'
import type { Embedder } from '../../ports/embedder.ts'
import type { ModelPart, ModelRequest, ToolDescription } from '../../ports/language-model.ts'
import { dialoguePolicy } from './dialogue-policy.ts'

const forever = new AbortController().signal
const endCall: ToolDescription = { name: 'end_call', description: 'Ends the call.', parameters: {} }
const prompt = 'We are open 9 to 5. Our vets treat cats and dogs.'

const request = (said: string, tools: readonly ToolDescription[] = []): ModelRequest => ({
  messages: [
    { role: 'system', content: prompt },
    { role: 'assistant', content: 'Hello.' },
    { role: 'user', content: said },
  ],
  tools,
})

async function parts(
  asked: ModelRequest,
  { embedder, signal = forever }: { embedder?: Embedder; signal?: AbortSignal } = {},
) {
  const all: ModelPart[] = []
  for await (const part of dialoguePolicy(embedder).reply(asked, signal)) all.push(part)
  return all
}

const transferCall: ToolDescription = {
  name: 'transfer_call',
  description: 'Connects.',
  parameters: { type: 'object', properties: { destination: { type: 'string', enum: ['Sales', 'Support'] } } },
}

describe('a caller who asks for somebody', () => {
  it.each([
    ['Can I talk to a person?', 'Sales'],
    ['I want to speak with support.', 'Support'],
  ])('"%s" is connected to %s', async (said, destination) => {
    const call = { id: 'transfer', name: 'transfer_call', arguments: JSON.stringify({ destination }) }
    expect(await parts(request(said, [transferCall]))).toEqual([{ type: 'tool-call', call }])
  })

  it('gets an answer where the agent may not transfer', async () => {
    const all = await parts(request('Can I talk to a person?'))
    expect(all.every(({ type }) => type === 'text')).toBe(true)
  })
})

const textOf = (all: readonly ModelPart[]) =>
  all.map((part) => (part.type === 'text' ? part.text : '')).join('')

it('streams word by word', async () => {
  const all = await parts(request('when are you open?'))
  expect(textOf(all)).toBe('We are open 9 to 5. What else can I do for you?')
  expect(all.slice(0, 2)).toEqual([
    { type: 'text', text: 'We ' },
    { type: 'text', text: 'are ' },
  ])
})

it('ends the call if it may', async () => {
  const [withTool, without] = [await parts(request('bye', [endCall])), await parts(request('bye'))]
  expect(withTool.at(-1)).toEqual({
    type: 'tool-call',
    call: { id: 'end', name: 'end_call', arguments: '{}' },
  })
  expect(without.every((part) => part.type === 'text')).toBe(true)
})

it('ends quietly when aborted', async () => {
  expect(await parts(request('hello'), { signal: AbortSignal.abort() })).toEqual([])
})

describe('with an embedder', () => {
  /** Puts everything about animals into one direction. */
  const byAnimal: Embedder = {
    embed: async (texts) =>
      texts.map((text) => Float32Array.from(/pets?|kitten|dogs/.test(text) ? [1, 0] : [0, 1])),
  }

  it('finds a fact by its meaning', async () => {
    const asked = request('could you look at my kitten?')
    expect(textOf(await parts(asked))).toContain('I do not know')
    expect(textOf(await parts(asked, { embedder: byAnimal }))).toContain('Our vets treat cats and dogs.')
  })

  it('works without the embedder when it fails', async () => {
    const broken: Embedder = { embed: () => Promise.reject(new Error('no weights')) }
    expect(textOf(await parts(request('when are you open?'), { embedder: broken }))).toContain(
      'We are open 9 to 5.',
    )
  })

  it('embeds every sentence once', async () => {
    const asked: string[] = []
    const counting: Embedder = {
      embed: async (texts, signal) => {
        asked.push(...texts)
        return byAnimal.embed(texts, signal)
      },
    }
    const mind = dialoguePolicy(counting)
    for (let turn = 0; turn < 3; turn++) {
      mind.prepare?.(request('hello'), forever)
      for await (const _ of mind.reply(request('hello'), forever));
    }
    expect(asked).toHaveLength(new Set(asked).size)
  })
})

it('knows by itself whether the conversation is over', () => {
  const { isOver } = dialoguePolicy()
  const talk = (said: string) => [
    ...request(said).messages,
    { role: 'assistant', content: 'Something.' } as const,
  ]
  expect(isOver?.(talk('no that is all, good-bye'))).toBe(true)
  expect(isOver?.(talk('when are you open?'))).toBe(false)
})
