// Gemini Live as a mind that hears and speaks itself.
import { GoogleGenAI, Modality } from '@google/genai'
import { afterEach, expect, it } from 'vitest'
import { ScriptedVoice } from '../../../test/props/call/scripted-synthesizer.ts'
import { ScriptedTranscriber } from '../../../test/props/call/scripted-transcriber.ts'
import { openModelServer } from '../../../test/props/servers/model-server.ts'
import { openGeminiLive } from '../../../test/props/vendors/gemini-live.ts'
import { realtimeCall } from '../../../test/props/vendors/realtime-call.ts'
import { realtimeSuite } from '../../../test/props/vendors/realtime-suite.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import { geminiLive } from './realtime.ts'

const model = 'gemini-2.5-flash-native-audio-preview-09-2025'

async function open() {
  const server = await openGeminiLive('good')
  const transcriber = new ScriptedTranscriber()
  const voice = new ScriptedVoice()
  const mind = geminiLive(
    {
      model,
      voice: 'Kore',
      transcription: { model: '' },
      apiKey: 'good',
      baseUrl: `${server.baseUrl}/v1beta`,
    },
    { transcriber, synthesizer: overClauses(voice, ['en']), onNote() {}, onGone() {} },
  )
  return { server, transcriber, mind, voice }
}

for (const suited of [model, 'gemini-3.8-live'])
  realtimeSuite(`Gemini, ${suited}`, async () => {
    const server = await openGeminiLive('good')
    const told = () => [...server.texts(), ...server.inputs().map(({ text = '' }) => text)]
    return {
      server,
      llmConfig: { provider: 'gemini', model: suited, base_url: `${server.baseUrl}/v1beta` },
      label: 'Gemini',
      used: { provider: 'gemini', model: suited },
      answers: {
        push: (...answers) =>
          server.answers.push(
            ...answers.map(({ tool, ...other }) => ({
              ...other,
              ...(tool && { tool: { name: tool.name, args: JSON.parse(tool.arguments) } }),
            })),
          ),
      },
      says() {},
      turnsAsked: () => 0,
      answersAsked: () => server.turnsAsked(),
      wasCancelled: () => server.inputs().filter(({ activityStart }) => activityStart).length > 1,
      wasToldOf: (words) => told().some((text) => text.includes(words)),
      toolResults: () =>
        server.told.flatMap(({ toolResponse }) =>
          (toolResponse?.functionResponses ?? []).map(
            ({ response }) => (response as { output: string }).output,
          ),
        ),
      instructions: () => JSON.stringify(server.setups()),
      history: () => told().join(' | '),
    }
  })

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

it('gets the sound of a turn, with what it is to know of the call, and takes its conversation up again', async () => {
  const { server, transcriber, mind } = await open()
  cleanups.push(
    () => server.close(),
    () => mind.close(),
  )
  const system = { role: 'system', content: 'You are Ada.' } as const
  const hello = { role: 'assistant', content: 'Hello there.' } as const
  const first = { role: 'user', content: 'When do you open?' } as const
  const stop = new AbortController()
  const stream = mind.transcriber.open({ model: '', rateHz: 8_000, endpointingMs: 500 }, stop.signal)
  const voiced = (level: number) => {
    stream.hear?.({ type: 'speech-start', atMs: 0 })
    for (let n = 0; n < 50; n++) stream.write({ rateHz: 8_000, samples: new Int16Array(160).fill(level) })
    stream.hear?.({ type: 'speech-end', atMs: 1_000 })
  }
  const ask = async (messages: Parameters<typeof mind.model.reply>[0]['messages'], tools: string[] = []) => {
    const described = tools.map((name) => ({ name, description: name, parameters: { type: 'object' } }))
    let text = ''
    for await (const part of mind.model.reply({ messages, tools: described }, stop.signal))
      if (part.type === 'text') text += part.text
    return text
  }
  server.answers.push({ words: 'At nine.' }, { words: 'Until six.' }, { words: 'Yes.' })

  voiced(4_000)
  expect(await ask([system, hello, first])).toBe('At nine.')
  expect(server.texts()).toEqual(['model: Hello there.'])
  const middle = server.heard().slice(2_000, 14_000)
  expect(Math.min(...middle)).toBeGreaterThan(3_000)
  expect(server.setups()[0]).toMatchObject({
    model: `models/${model}`,
    generationConfig: { speechConfig: { voiceConfig: { prebuiltVoiceConfig: { voiceName: 'Kore' } } } },
    realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
  })

  // Other tools are a new connection, in the same conversation.
  const answered = { role: 'assistant', content: 'At nine.' } as const
  const second = { role: 'user', content: 'Until when?' } as const
  voiced(4_000)
  expect(await ask([system, hello, first, answered, second], ['book'])).toBe('Until six.')
  expect(server.setups()).toHaveLength(2)
  expect(server.setups()[1]?.sessionResumption).toEqual({ handle: expect.stringMatching(/^handle_/) })
  expect(server.texts()).toEqual(['model: Hello there.'])

  // What has changed in the instructions alone, and keys that were pressed, are told in words.
  const pressed = { role: 'user', content: 'pressed 1' } as const
  const until = { role: 'assistant', content: 'Until six.' } as const
  const said = [
    { role: 'system', content: 'Be brief.' } as const,
    hello,
    first,
    answered,
    second,
    until,
    pressed,
  ]
  expect(await ask(said, ['book'])).toBe('Yes.')
  expect(server.setups()).toHaveLength(2)
  expect(server.texts().slice(1)).toEqual(['user: Instructions from now on:\nBe brief.', 'user: pressed 1'])
  expect(transcriber.now.frames).toBe(100)
})

it('has the model wait for its tools, and goes on over another connection when the server leaves', async () => {
  const { server, mind } = await open()
  cleanups.push(
    () => server.close(),
    () => mind.close(),
  )
  const hello = { role: 'user', content: 'Hello?' } as const
  const tools = [{ name: 'book', description: 'Books.', parameters: { type: 'object' } }]
  const ask = async (messages: Parameters<typeof mind.model.reply>[0]['messages']) => {
    let text = ''
    for await (const part of mind.model.reply({ messages, tools }, new AbortController().signal))
      if (part.type === 'text') text += part.text
    return text
  }
  server.answers.push({ words: 'Good day.' }, { words: 'Until six.' })
  expect(await ask([hello])).toBe('Good day.')
  expect(server.setups()[0]?.tools).toMatchObject([
    { functionDeclarations: [{ name: 'book', behavior: 'BLOCKING' }] },
  ])
  server.goAway()
  const received = () => server.roundTrips
  const before = received()
  for (const socket of server.connections) socket.ping()
  await expect.poll(received).toBeGreaterThan(before)
  const messages = [hello, { role: 'assistant', content: 'Good day.' } as const]
  expect(await ask([...messages, { role: 'user', content: 'Until when?' }])).toBe('Until six.')
  expect(server.setups()[1]?.sessionResumption).toEqual({ handle: expect.stringMatching(/^handle_/) })
  expect(server.texts()).toEqual(['user: Hello?', 'user: Until when?'])
})

it('is not asked what is no part of the conversation', async () => {
  const server = await openGeminiLive('good')
  const text = await openModelServer({ words: ['Yes.'] })
  cleanups.push(
    () => server.close(),
    () => text.close(),
  )
  const fallback = { provider: 'custom', model: 'olive', base_url: text.baseUrl, api_key: 'k' }
  const talk = realtimeCall({
    llmConfig: { provider: 'gemini', model, base_url: `${server.baseUrl}/v1beta`, fallback },
  })
  cleanups.push(() => talk.close())
  const messages = [{ role: 'system', content: 'Is it over?' } as const]
  let answer = ''
  const asked = { messages, tools: [], isAside: true }
  for await (const part of talk.chosen.chosen.model.reply(asked, new AbortController().signal))
    if (part.type === 'text') answer += part.text
  expect(answer).toBe('Yes.')
  expect(server.turnsAsked()).toBe(0)
  expect(talk.notes()).toEqual([])
})

it('Google’s library understands our Gemini, and is understood', async () => {
  const server = await openGeminiLive('good')
  cleanups.push(() => server.close())
  server.answers.push({ words: 'Good day.' })
  const client = new GoogleGenAI({ apiKey: 'good', httpOptions: { baseUrl: server.baseUrl } })
  let text = ''
  let bytes = 0
  let isOver = false
  const session = await client.live.connect({
    model,
    config: {
      responseModalities: [Modality.AUDIO],
      outputAudioTranscription: {},
      realtimeInputConfig: { automaticActivityDetection: { disabled: true } },
    },
    callbacks: {
      onmessage({ serverContent }) {
        text += serverContent?.outputTranscription?.text ?? ''
        for (const { inlineData } of serverContent?.modelTurn?.parts ?? [])
          bytes += Buffer.from(inlineData?.data ?? '', 'base64').length
        isOver ||= serverContent?.turnComplete ?? false
      },
    },
  })
  cleanups.push(() => session.close())
  session.sendRealtimeInput({ activityStart: {} })
  const sound = Buffer.from(new Int16Array(1_600).fill(2_000).buffer).toString('base64')
  session.sendRealtimeInput({ audio: { data: sound, mimeType: 'audio/pcm;rate=16000' } })
  session.sendRealtimeInput({ activityEnd: {} })
  await expect.poll(() => isOver).toBe(true)
  expect({ text, bytes, heard: server.heard().length }).toEqual({
    text: 'Good day.',
    bytes: 2 * 24 * 70 * 'Goodday'.length,
    heard: 1_600,
  })
})
