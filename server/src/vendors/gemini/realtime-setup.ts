// What a connection to Gemini Live is set up with, which stays for its length.
import type { ToolDescription } from '../../ports/language-model.ts'
import type { RealtimeOptions } from '../../ports/realtime-mind.ts'
import { toolsOf } from './request-body.ts'

export interface GeminiTurn {
  readonly role: 'user' | 'model'
  readonly parts: readonly { readonly text: string }[]
}

export const turnOf = (role: GeminiTurn['role'], text: string): GeminiTurn => ({ role, parts: [{ text }] })

interface Setup {
  readonly system: string
  readonly tools: readonly ToolDescription[]
  /** Whether what was said so far follows as the first message. */
  readonly hasHistory: boolean
}

/**
 * Whether the model takes turns in text at any time. From the third generation on it takes them only as the history of a
 * conversation that begins, and only if the setup announces it; otherwise it closes the connection.
 */
export const takesTurnsAnytime = (model: string): boolean => /(?:^|-)2\.\d/.test(model)

export function setupOf({ model, voice }: RealtimeOptions, { system, tools, hasHistory }: Setup) {
  return {
    generationConfig: {
      responseModalities: ['AUDIO'],
      ...(voice && { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: voice } } } }),
    },
    ...(system && { systemInstruction: { parts: [{ text: system }] } }),
    ...blocking(toolsOf(tools)),
    // The call decides whose turn it is.
    realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
    outputAudioTranscription: {},
    // Otherwise a conversation ends after a quarter of an hour.
    contextWindowCompression: { slidingWindow: {} },
    ...(hasHistory &&
      !takesTurnsAnytime(model) && { historyConfig: { initialHistoryInClientContent: true } }),
  }
}

/** The model waits for what its tools answer: newer ones would talk on, and be talking when the answer comes. */
const blocking = (given: ReturnType<typeof toolsOf>) =>
  given && {
    tools: given.tools.map(({ functionDeclarations }) => ({
      functionDeclarations: functionDeclarations.map((one) => ({ ...one, behavior: 'BLOCKING' })),
    })),
  }
