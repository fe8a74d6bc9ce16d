// Gemini Live on loopback: hears the sound of a turn, and says what it is told to say. Its messages are JSON as bytes.
import { openVendorServer, type VendorClient } from './vendor-server.ts'

/** The model's answer to one turn. */
export interface LiveAnswer {
  readonly words?: string
  readonly tool?: { readonly name: string; readonly args: object }
  /** Whether the answer goes on until it is stopped. */
  readonly isEndless?: boolean
}

export interface LiveSent {
  readonly setup?: {
    readonly model: string
    readonly sessionResumption?: { readonly handle?: string }
    readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] }
    readonly tools?: readonly object[]
  }
  readonly clientContent?: {
    readonly turns?: readonly {
      readonly role: string
      readonly parts: readonly { readonly text: string }[]
    }[]
    readonly turnComplete?: boolean
  }
  readonly realtimeInput?: {
    readonly activityStart?: object
    readonly activityEnd?: object
    readonly text?: string
    readonly audio?: { readonly data: string; readonly mimeType: string }
  }
  readonly toolResponse?: {
    readonly functionResponses: readonly { readonly id: string; readonly response: object }[]
  }
}

// 100 ms at 24 kHz.
const soundBytes = 4_800
/** The level of its sound. */
export const liveLevel = 2_000

export async function openGeminiLive(key: string) {
  const answers: LiveAnswer[] = []
  const told: LiveSent[] = []
  let numbers = 0
  /** Whether an answer is being generated. */
  let isSpeaking = false

  const send = (client: VendorClient, message: object) => client.send(Buffer.from(JSON.stringify(message)))

  const done = (client: VendorClient) => {
    isSpeaking = false
    const usageMetadata = { promptTokenCount: 120, responseTokenCount: 30, cachedContentTokenCount: 20 }
    send(client, { serverContent: { generationComplete: true }, usageMetadata })
    send(client, { serverContent: { turnComplete: true } })
    send(client, { sessionResumptionUpdate: { newHandle: `handle_${++numbers}`, resumable: true } })
  }

  const interrupt = (client: VendorClient) => {
    if (!isSpeaking) return
    isSpeaking = false
    send(client, { serverContent: { interrupted: true } })
    send(client, { serverContent: { turnComplete: true } })
  }

  const answer = (client: VendorClient) => {
    const { words = '', tool, isEndless } = answers.shift() ?? { words: 'Okay.' }
    isSpeaking = true
    for (const word of words.split(/(?<=\s)/).filter(Boolean)) {
      const data = Buffer.from(new Int16Array(soundBytes / 2).fill(liveLevel).buffer).toString('base64')
      const parts = [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }]
      send(client, { serverContent: { modelTurn: { parts } } })
      send(client, { serverContent: { outputTranscription: { text: word } } })
    }
    if (tool) {
      isSpeaking = false
      return send(client, { toolCall: { functionCalls: [{ id: `call_${++numbers}`, ...tool }] } })
    }
    if (!isEndless) done(client)
  }

  const server = await openVendorServer({
    knows: ({ headers, url }) =>
      (headers['x-goog-api-key'] ?? url.searchParams.get('key')) === key &&
      // Google's own library writes two slashes.
      /^[/]{1,2}ws[/]google[.]ai[.]generativelanguage[.]v1beta[.]GenerativeService[.]BidiGenerateContent$/.test(
        url.pathname,
      ),
    socket(client) {
      client.onMessage((raw) => {
        const message = JSON.parse(String(raw)) as LiveSent
        told.push(message)
        const { setup, clientContent, realtimeInput, toolResponse } = message
        if (setup) send(client, { setupComplete: {} })
        if (clientContent || realtimeInput?.activityStart) interrupt(client)
        if (clientContent?.turnComplete || realtimeInput?.activityEnd || toolResponse) answer(client)
      })
    },
  })
  const inputs = () => told.flatMap(({ realtimeInput }) => (realtimeInput ? [realtimeInput] : []))
  return {
    ...server,
    baseUrl: server.baseUrl,
    asked: server.asked,
    connections: server.connections,
    answers,
    told,
    setups: () => told.flatMap(({ setup }) => (setup ? [setup] : [])),
    texts: () =>
      told.flatMap(({ clientContent }) =>
        (clientContent?.turns ?? []).map(({ role, parts }) => `${role}: ${parts[0]?.text}`),
      ),
    inputs,
    /** The caller's samples that it received. */
    heard: () =>
      inputs().flatMap(({ audio }) => {
        const bytes = Buffer.from(audio?.data ?? '', 'base64')
        return [...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)]
      }),
    close: () => server.close(),
  }
}
