// A conversation through the nodes of a graph: with a model that calls its edges as tools, and without a model.
import { describe, expect, it } from 'vitest'
import type { Graph } from '../../ports/call-plan.ts'
import type {
  ChatMessage,
  LanguageModel,
  ModelPart,
  ModelRequest,
  ToolDescription,
} from '../../ports/language-model.ts'
import { variableFiller } from '../../resources/calls/plan/fill-variables.ts'
import { readGraph } from '../../resources/calls/plan/read-graph.ts'
import { graphByModel } from './graph-by-model.ts'
import { graphByPolicy } from './graph-by-policy.ts'
import { expressionHolds } from './place-in-graph.ts'

const edge = (to_node_id: string, condition: string, more: object = {}) => ({
  to_node_id,
  condition,
  ...more,
})

const nodes = [
  {
    id: 'root',
    prompt: 'Ask if they want to book a table.',
    edges: [edge('booking', 'the caller agrees'), edge('bye', 'the caller declines')],
  },
  {
    id: 'booking',
    prompt: 'Ask for the name and the number of guests.',
    edges: [
      edge('vip', '', {
        condition_type: 'expression',
        expression: { logic: 'and', conditions: [{ variable: 'tier', operator: 'eq', value: 'gold' }] },
      }),
      edge('bye', 'the caller has given the name and the number of guests'),
    ],
  },
  { id: 'vip', static_message: 'Welcome back, {name}. Your table is ready.', edges: [] },
  { id: 'bye', static_message: 'Thank you. Good-bye.', edges: [] },
]

const graphOf = (llmAgent: object, variables: Record<string, string> = {}): Graph => {
  const { graph } = readGraph({ ...llmAgent }, variableFiller(variables).fill)
  if (!graph) throw new Error('no graph')
  return graph
}
const endCall: ToolDescription = { name: 'end_call', description: '', parameters: {} }
const signal = new AbortController().signal

/** Talks to a model as a call does. */
function talkTo(model: LanguageModel, greeting = 'Hello.') {
  const messages: ChatMessage[] = [
    { role: 'system', content: 'You are Mia, the host of Roma.' },
    { role: 'assistant', content: greeting },
  ]
  return async (said: string, keep = true) => {
    const request: ModelRequest = {
      messages: [...messages, { role: 'user', content: said }],
      tools: [endCall],
    }
    const parts: ModelPart[] = []
    for await (const part of model.reply(request, signal)) parts.push(part)
    const text = parts.map((part) => (part.type === 'text' ? part.text : '')).join('')
    if (keep) messages.push({ role: 'user', content: said }, { role: 'assistant', content: text })
    const node = parts.findLast((part) => part.type === 'node')?.nodeId
    return { text, node, ends: parts.some((part) => part.type === 'tool-call') }
  }
}

describe('without a model', () => {
  it('follows yes and no, asks what a node asks, and ends where no edge leads on', async () => {
    const say = talkTo(graphByPolicy(graphOf({ nodes }), {}, undefined))
    expect(await say('hi there')).toMatchObject({ node: 'root', text: 'Do you want to book a table?' })
    expect(await say('yes please')).toMatchObject({ node: 'booking', text: 'May I have your name, please?' })
    expect(await say('Tom Baker')).toMatchObject({
      node: 'booking',
      text: 'Thank you, Tom. How many guests?',
    })
    expect(await say('four')).toEqual({ node: 'bye', text: 'Thank you. Good-bye.', ends: true })
  })

  it('is not over at a last node that still asks something', async () => {
    const last = [
      { id: 'ask', prompt: 'Ask if they want an appointment.', edges: [edge('book', 'the caller agrees')] },
      { id: 'book', prompt: 'Ask for the day.' },
    ]
    const model = graphByPolicy(graphOf({ nodes: last }), {}, undefined)
    const say = talkTo(model)
    const isOver = (...said: string[]) =>
      model.isOver?.(said.map((content) => ({ role: 'user' as const, content })))
    await say('hello')
    expect(await say('yes')).toMatchObject({ node: 'book', ends: false })
    expect(isOver('hello', 'yes')).toBe(false)
    await say('Monday')
    expect(await say('no, that is all')).toMatchObject({ node: 'book', ends: true })
    expect(isOver('hello', 'yes', 'Monday', 'no, that is all')).toBe(true)
  })

  it('takes the other edge, and is not moved by words that were never said', async () => {
    const say = talkTo(graphByPolicy(graphOf({ nodes }), {}, undefined))
    await say('hello')
    expect(await say('yes', false)).toMatchObject({ node: 'booking' })
    expect(await say('no thanks')).toMatchObject({ node: 'bye', ends: true })
  })

  it('follows a condition on the variables of the call', async () => {
    const gold = { tier: 'Gold', name: 'Ada' }
    const say = talkTo(graphByPolicy(graphOf({ nodes, current_node_id: 'booking' }, gold), gold, undefined))
    expect(await say('hello')).toMatchObject({ node: 'vip', text: 'Welcome back, Ada. Your table is ready.' })
  })

  it('follows keys, and an unconditional edge once the node has spoken', async () => {
    const menu = [
      {
        id: 'menu',
        static_message: 'Press one.',
        edges: [edge('one', '', { condition_type: 'event', event_name: 'dtmf:1' })],
      },
      {
        id: 'one',
        prompt: 'Ask for their name.',
        edges: [edge('end', '', { condition_type: 'unconditional' })],
      },
      { id: 'end', static_message: 'Done.' },
    ]
    const say = talkTo(graphByPolicy(graphOf({ llm_config: { nodes: menu } }), {}, undefined))
    expect(await say('hello')).toMatchObject({ node: 'menu', text: 'Press one.' })
    expect(await say('pressed 1')).toMatchObject({ node: 'one', text: 'May I have your name, please?' })
    expect(await say('Ada')).toMatchObject({ node: 'end', text: 'Done.' })
  })

  it('takes keys that were said for keys, and knows them in expressions', async () => {
    const long = { logic: 'and', conditions: [{ variable: 'digits', operator: 'gte', value: '1000' }] }
    const nodes = [
      {
        id: 'ask',
        static_message: 'Your code, please.',
        edges: [
          edge('zero', '', { condition_type: 'event', event_name: 'dtmf:0' }),
          edge('code', '', { condition_type: 'expression', expression: long }),
        ],
      },
      { id: 'zero', static_message: 'The operator.' },
      { id: 'code', static_message: 'Thank you.' },
    ]
    const open = () => talkTo(graphByPolicy(graphOf({ llm_config: { nodes } }), {}, undefined))
    const spoken = open()
    await spoken('hello')
    expect(await spoken('0')).toMatchObject({ node: 'zero' })
    const typed = open()
    await typed('hello')
    expect(await typed('my code is pressed 4711')).toMatchObject({ node: 'code' })
  })
})

describe('with a model', () => {
  const scripted = (...answers: ModelPart[][]) => {
    const asked: ModelRequest[] = []
    const model: LanguageModel = {
      async *reply(request) {
        asked.push(request)
        yield* answers.shift() ?? []
      },
    }
    return { asked, model }
  }
  const says = (text: string): ModelPart => ({ type: 'text', text })
  const calls = (name: string): ModelPart => ({ type: 'tool-call', call: { id: '1', name, arguments: '{}' } })

  it('a node is its prompt, an edge a tool, and the next node answers at once', async () => {
    const { asked, model } = scripted(
      [says('A table?')],
      [calls('go_to_booking')],
      [says('Your name?')],
      [calls('end_call')],
    )
    const say = talkTo(graphByModel(model, graphOf({ nodes }), {}))
    expect(await say('hi')).toMatchObject({ node: 'root', text: 'A table?' })
    expect(await say('yes')).toMatchObject({ node: 'booking', text: 'Your name?' })
    expect(await say('bye')).toMatchObject({ node: 'booking', ends: true })
    expect(asked.map(({ messages }) => messages[0]?.content.includes('number of guests'))).toEqual([
      ...[false, false, true, true],
    ])
    expect(asked[0]?.messages[0]?.content).toContain('You are Mia')
    expect(asked[0]?.tools.map(({ name }) => name)).toEqual(['end_call', 'go_to_booking', 'go_to_bye'])
  })

  it('what a request used that ended at an edge is counted, and every node on the way is told', async () => {
    const used = (inputTokens: number): ModelPart => ({
      type: 'usage',
      provider: 'custom',
      model: 'm',
      isAborted: false,
      inputTokens,
      outputTokens: 1,
      cachedTokens: 0,
      cacheWriteTokens: 0,
    })
    const { model } = scripted([calls('go_to_booking'), used(7)], [says('Your name?'), used(5)])
    const parts: ModelPart[] = []
    const request = { messages: [{ role: 'user' as const, content: 'yes' }], tools: [] }
    for await (const part of graphByModel(model, graphOf({ nodes }), {}).reply(request, signal))
      parts.push(part)
    expect(parts).toEqual([
      { type: 'node', nodeId: 'root' },
      { type: 'node', nodeId: 'booking' },
      ...[says('Your name?'), used(5), used(7)],
    ])
  })

  it('a request that fails after it ended at an edge does not fail the reply', async () => {
    let asked = 0
    const model: LanguageModel = {
      async *reply() {
        asked += 1
        if (asked > 1) yield says('Your name?')
        else {
          yield calls('go_to_booking')
          throw new Error('The server has left.')
        }
      },
    }
    const say = talkTo(graphByModel(model, graphOf({ nodes }), {}))
    expect(await say('yes')).toMatchObject({ node: 'booking', text: 'Your name?' })
  })

  it('a routing node is not heard', async () => {
    const router = [
      {
        id: 'r',
        node_type: 'router',
        edges: [edge('a', 'wants a'), edge('b', '', { condition_type: 'unconditional' })],
      },
      { id: 'a', prompt: 'A' },
      { id: 'b', prompt: 'B' },
    ]
    const { model } = scripted([says('Hm.')], [says('This is b.')])
    const say = talkTo(graphByModel(model, graphOf({ nodes: router }), {}))
    expect(await say('hi')).toMatchObject({ node: 'b', text: 'This is b.' })
  })
})

const asIs = (text: string) => text

it('unusable settings are reported', () => {
  const nodes = [
    {},
    {
      id: 'a',
      edges: [edge('nowhere', 'x'), edge('a', '', { condition_type: 'event', event_name: 'paid' })],
    },
  ]
  const { graph, problems } = readGraph({ nodes }, asIs)
  expect(graph?.start.id).toBe('a')
  expect(problems).toEqual(
    [
      'node 1 has no id and was left out',
      'the event paid does not exist here: only dtmf and dtmf:<keys> do',
      'an edge of a leads to nowhere, which is no node',
    ].toSorted((one, other) => problems.indexOf(one) - problems.indexOf(other)),
  )
  expect(readGraph({}, asIs).problems[0]).toContain('llm_agent.nodes is no list of nodes')
})

it.each([
  ['gt', 18, '21', true],
  ['lt', 18, '21', false],
  ['gt', 18, '', false],
  ['in', ['a', 'b'], 'B', true],
  ['not_in', 'a,b', 'c', true],
  ['contains', 'york', 'New York', true],
  ['exists', undefined, '', false],
  ['sounds_like', 'x', 'x', false],
])('%s %j holds of %j: %s', (operator, value, held, is) => {
  const conditions = [{ variable: 'user.x', operator, value }]
  expect(expressionHolds({ logic: 'and', conditions }, { user: { x: held } })).toBe(is)
})
