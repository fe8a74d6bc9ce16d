// A graph with a language model: the node is its prompt, and each edge a tool that it may call instead of speaking.

import type { Graph, GraphNode } from '../../ports/call-plan.ts'
import type { ChatMessage, LanguageModel, ModelPart, ModelRequest } from '../../ports/language-model.ts'
import type { Variables } from './place-in-graph.ts'
import {
  certainEdge,
  type GraphPlace,
  type LlmEdge,
  mostSteps,
  otherwise,
  Places,
  wordsSoFar,
} from './place-in-graph.ts'

export function graphByModel(model: LanguageModel, graph: Graph, variables: Variables): LanguageModel {
  const places = new Places(graph)
  return {
    ...model,
    async *reply(request, signal) {
      const words = wordsSoFar(request.messages)
      const before = places.before(words)
      const said = request.messages.findLast(({ role }) => role === 'user')?.content ?? ''
      /** The usage of requests that ended at an edge, read while the next request is under way. */
      const unread: Promise<readonly ModelPart[]>[] = []
      let place = before
      let node = certainEdge(graph, place, said, variables)
      for (let step = 0; step < mostSteps && !signal.aborted; step++) {
        if (node) place = entered(node, words)
        const next = yield* speak(place)
        if (!next) break
        node = next
      }
      places.after(words, { ...place, hasSpoken: true })
      for (const usage of unread) yield* await usage

      /** Speaks for a node; returns the node that it leads to, if any. */
      async function* speak(here: GraphPlace): AsyncGenerator<ModelPart, GraphNode | undefined> {
        if (here.node.words !== undefined && here !== before) {
          yield { type: 'node', nodeId: here.node.id }
          yield { type: 'text', text: here.node.words }
          return undefined
        }
        return yield* ask(here)
      }

      async function* ask(here: GraphPlace): AsyncGenerator<ModelPart, GraphNode | undefined> {
        const edges = here.node.edges.filter((edge) => edge.by === 'llm')
        const catchAll = otherwise(graph, here)
        // A routing node does not speak.
        const isSilent = here.node.isRouter || catchAll !== undefined
        const parts = model
          .reply(requestAt(here.node, edges, request, graph.information), signal)
          [Symbol.asyncIterator]()
        let isTold = false
        let isReadOn = false
        try {
          for (let next = await parts.next(); !next.done; next = await parts.next()) {
            const part = next.value
            const edge = part.type === 'tool-call' && edges.find(({ tool }) => tool === part.call.name)
            if (isSilent && !edge && part.type !== 'usage') continue
            if (!isTold) yield { type: 'node', nodeId: here.node.id }
            isTold = true
            if (edge) {
              isReadOn = true
              unread.push(usageIn(parts))
              return graph.nodes.get(edge.to)
            }
            yield part
          }
        } finally {
          if (!isReadOn) await parts.return?.()
        }
        if (!isTold) yield { type: 'node', nodeId: here.node.id }
        return catchAll
      }
    },
  }
}

/** Reads the rest of an answer for its usage only. A failure costs nothing. */
async function usageIn(parts: AsyncIterator<ModelPart>): Promise<readonly ModelPart[]> {
  const usageParts: ModelPart[] = []
  try {
    for (let next = await parts.next(); !next.done; next = await parts.next())
      if (next.value.type === 'usage') usageParts.push(next.value)
  } catch {
    // The conversation has moved on without this answer.
  }
  return usageParts
}

const entered = (node: GraphNode, words: string): GraphPlace => ({
  node,
  enteredAt: words.length,
  hasSpoken: false,
})

function requestAt(
  node: GraphNode,
  edges: readonly LlmEdge[],
  { messages, tools }: ModelRequest,
  information: string,
): ModelRequest {
  const [first, ...rest] = messages
  const general = first?.role === 'system' ? first.content : ''
  const ways =
    edges.length > 0 ? 'Call a go-to function, and say nothing, as soon as its condition holds.' : ''
  const content = [general, information, node.prompt, ways].filter(Boolean).join('\n\n')
  const system: ChatMessage = { role: 'system', content }
  return {
    messages: [system, ...(first?.role === 'system' ? rest : messages)],
    tools: [
      ...tools,
      ...edges.map(({ tool, about }) => ({ name: tool, description: about, parameters: none })),
    ],
  }
}

const none = { type: 'object', properties: {} }
