// A language model for agents without one: a built-in dialogue policy that needs no weights and says what it is.
import type { Embedder } from '../../ports/embedder.ts'
import type { Passage } from '../../ports/knowledge.ts'
import type {
  ChatMessage,
  LanguageModel,
  ModelPart,
  ModelRequest,
  ToolDescription,
} from '../../ports/language-model.ts'
import type { Brief } from './brief.ts'
import { decideReply } from './decide-reply.ts'
import { intentOf } from './intents.ts'
import type { Closeness } from './match-facts.ts'
import { closenessByMeaning } from './meaning-closeness.ts'
import { briefReader } from './read-brief.ts'
import { answersIn, readOut } from './read-out.ts'
import { plain } from './words.ts'

export const mindName = 'built-in dialogue policy, not a language model'

// The embedder answers within tens of milliseconds once loaded; until then matching is by words.
const patienceMs = 600
const patient = (signal: AbortSignal) => AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])

/** With an embedder, questions also find their facts by meaning. */
export function dialoguePolicy(embedder?: Embedder): LanguageModel {
  const measure = embedder && closenessByMeaning(embedder)
  const readBrief = briefReader()
  const read = (request: ModelRequest) => {
    const brief = readBrief(contentOf(request.messages, 'system').join('\n'))
    const messages = request.messages.map(withoutKeyWord)
    const said = contentOf(messages, 'user')
    return { brief, messages, said, known: [...brief.facts.map(({ about }) => about), ...said] }
  }
  return {
    prepare(request, signal) {
      void measure?.(read(request).known, patient(signal))
    },
    async *reply(request, signal) {
      const { brief, messages, said, known } = read(request)
      const transfer = transferFor(request, said.at(-1) ?? '')
      if (transfer) {
        yield transfer
        return
      }
      const { passages = [] } = request
      const byMeaning: Closeness | undefined = await measure?.(
        [...known, ...answersIn(said.at(-1) ?? '', passages)],
        patient(signal),
      )
      if (signal.aborted) return
      const { text, ends } = decideReply(
        withPassages(brief, said.at(-1), passages, byMeaning),
        messages,
        byMeaning,
      )
      yield* wordByWord(text, signal)
      if (ends && !signal.aborted) yield* endsCall(request)
    },
    isOver(messages) {
      const spokenTo = messages.findLastIndex(({ role }) => role === 'user')
      const brief = readBrief(contentOf(messages, 'system').join('\n'))
      return decideReply(brief, messages.slice(0, spokenTo + 1)).ends
    },
  }
}

/** Adds what the passages say as a fact about the caller's very words. */
function withPassages(
  brief: Brief,
  question: string | undefined,
  passages: readonly Passage[],
  byMeaning: Closeness = () => 0,
): Brief {
  if (question === undefined || passages.length === 0) return brief
  const text = readOut(question, passages, byMeaning)
  return text === undefined ? brief : { ...brief, facts: [...brief.facts, { about: question, text }] }
}

/** Streams a text as a model does. */
export function* wordByWord(text: string, signal: AbortSignal): Generator<ModelPart> {
  for (const word of text.match(/\S+\s*/g) ?? []) {
    if (signal.aborted) return
    yield { type: 'text', text: word }
  }
}

/** The transfer that the caller asks for, if the agent may transfer: to the destination that is named, or to the first. */
export function transferFor({ tools }: ModelRequest, said: string): ModelPart | undefined {
  const tool = tools.find(({ name }) => name === 'transfer_call')
  if (!tool || intentOf(said) !== 'human') return undefined
  const names = destinationsOf(tool.parameters)
  const words = plain(said)
  const destination = names.find((name) => words.includes(plain(name))) ?? names[0]
  if (destination === undefined) return undefined
  const call = { id: 'transfer', name: tool.name, arguments: JSON.stringify({ destination }) }
  return { type: 'tool-call', call }
}

function destinationsOf({ properties }: ToolDescription['parameters']): readonly string[] {
  const { destination } = properties as { readonly destination?: { readonly enum?: readonly string[] } }
  return destination?.enum ?? []
}

/** Removes the word before keys, which are an answer like any other: "pressed 42" is 42. */
const withoutKeyWord = (message: ChatMessage): ChatMessage =>
  message.role === 'user'
    ? { ...message, content: message.content.replace(/\bpressed (?=[0-9*#A-D]+\b)/g, '') }
    : message

/** Ends the call, if the agent lets its model hang up. */
export function* endsCall({ tools }: ModelRequest): Generator<ModelPart> {
  if (tools.some(({ name }) => name === 'end_call'))
    yield { type: 'tool-call', call: { id: 'end', name: 'end_call', arguments: '{}' } }
}

const contentOf = (messages: readonly ChatMessage[], role: ChatMessage['role']): string[] =>
  messages.filter((message) => message.role === role).map(({ content }) => content)
