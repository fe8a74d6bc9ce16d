// Gemini Live on loopback: hears the sound of a turn, and says what it is told to say. Its messages are JSON as bytes.
import { piecesFor, type RecordedVoice } from './realtime-sound.ts'
import type { RealtimeAnswer } from './realtime-suite.ts'
import { openVendorServer, type VendorClient } from './vendor-server.ts'

/** The model's answer to one turn. */
export interface LiveAnswer extends Omit<RealtimeAnswer, 'tool'> {
  readonly tool?: { readonly name: string; readonly args: object }
}

export interface LiveSent {
  readonly setup?: {
    readonly model: string
    readonly sessionResumption?: { readonly handle?: string }
    readonly systemInstruction?: { readonly parts: readonly { readonly text: string }[] }
    readonly tools?: readonly object[]
    readonly historyConfig?: { readonly initialHistoryInClientContent?: boolean }
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

export async function openGeminiLive(key: string, { voice }: { readonly voice?: RecordedVoice } = {}) {
  const answers: LiveAnswer[] = []
  const told: LiveSent[] = []
  const state = { isDeaf: false }
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

  const answer = async (client: VendorClient) => {
    const {
      words = '',
      tool,
      isEndless,
      isAhead,
      isSilent,
      fails,
      cutAfter,
    } = answers.shift() ?? { words: 'Okay.' }
    if (isSilent) return
    isSpeaking = true
    for (const [n, piece] of (await piecesFor(words, voice, isAhead)).entries()) {
      if (!isSpeaking) return
      if (n === cutAfter) return client.end(1011, 'the server was restarted')
      const data = piece.sound?.toString('base64')
      const parts = [{ inlineData: { mimeType: 'audio/pcm;rate=24000', data } }]
      if (data) send(client, { serverContent: { modelTurn: { parts } } })
      if (piece.words) send(client, { serverContent: { outputTranscription: { text: piece.words } } })
    }
    if (fails) return client.end(1011, 'the model is overloaded')
    if (tool) {
      isSpeaking = false
      return send(client, { toolCall: { functionCalls: [{ id: `call_${++numbers}`, ...tool }] } })
    }
    if (!isEndless) done(client)
  }

  /** From the third generation on, turns in text are only taken as the history that was announced. */
  const refuses = (model: string, isHistoryDue: boolean, { clientContent }: LiveSent) =>
    clientContent !== undefined && !/(?:^|-)2\.\d/.test(model) && !isHistoryDue

  const server = await openVendorServer({
    knows: ({ headers, url }) =>
      (headers['x-goog-api-key'] ?? url.searchParams.get('key')) === key &&
      // Google's own library writes two slashes.
      /^[/]{1,2}ws[/]google[.]ai[.]generativelanguage[.]v1beta[.]GenerativeService[.]BidiGenerateContent$/.test(
        url.pathname,
      ),
    socket(client) {
      let model = ''
      let isHistoryDue = false
      client.onMessage((raw) => {
        const message = JSON.parse(String(raw)) as LiveSent
        told.push(message)
        if (state.isDeaf) return
        const { setup, clientContent, realtimeInput, toolResponse } = message
        if (setup) {
          isSpeaking = false
          model = setup.model
          isHistoryDue = setup.historyConfig?.initialHistoryInClientContent ?? false
          return send(client, { setupComplete: {} })
        }
        if (refuses(model, isHistoryDue, message))
          return client.end(1007, 'Request contains an invalid argument.')
        if (clientContent && isHistoryDue) {
          isHistoryDue = !clientContent.turnComplete
          return
        }
        if (clientContent || realtimeInput?.activityStart) interrupt(client)
        if (clientContent?.turnComplete || realtimeInput?.activityEnd || toolResponse) void answer(client)
      })
    },
  })
  const inputs = () => told.flatMap(({ realtimeInput }) => (realtimeInput ? [realtimeInput] : []))
  return Object.assign(server, {
    answers,
    told,
    state,
    /** The server will close the connection soon. */
    goAway() {
      for (const socket of server.connections) socket.send(Buffer.from('{"goAway":{"timeLeft":"10s"}}'))
    },
    setups: () => told.flatMap(({ setup }) => (setup ? [setup] : [])),
    texts: () =>
      told.flatMap(({ clientContent }) =>
        (clientContent?.turns ?? []).flatMap(({ role, parts }) =>
          parts.map(({ text }) => `${role}: ${text}`),
        ),
      ),
    inputs,
    turnsAsked: () =>
      told.filter(
        ({ clientContent, realtimeInput, toolResponse, setup }) =>
          !setup && (clientContent?.turnComplete || realtimeInput?.activityEnd || toolResponse),
      ).length,
    /** The caller's samples that it received. */
    heard: () =>
      inputs().flatMap(({ audio }) => {
        const bytes = Buffer.from(audio?.data ?? '', 'base64')
        return [...new Int16Array(bytes.buffer, bytes.byteOffset, bytes.length / 2)]
      }),
  })
}
