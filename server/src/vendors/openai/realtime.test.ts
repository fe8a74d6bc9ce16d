// OpenAI's realtime interface as a mind that hears and speaks itself.
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { expect, it, onTestFinished, vi } from 'vitest'
import { behindTls } from '../../../test/props/vendors/behind-tls.ts'
import { openRealtimeServer, type RealtimeServerRules } from '../../../test/props/vendors/openai-realtime.ts'
import { realtimeCall } from '../../../test/props/vendors/realtime-call.ts'
import { WordVoice } from '../../../test/props/vendors/realtime-sound.ts'
import { realtimeSuite } from '../../../test/props/vendors/realtime-suite.ts'
import { vendorTalk } from '../../../test/props/vendors/vendor-talk.ts'
import { overClauses } from '../../ports/clause-stream.ts'
import { openAiRealtime } from './realtime.ts'

realtimeSuite('OpenAI', async () => {
  const server = await openRealtimeServer('good')
  const model = 'gpt-realtime'
  const cut = () => server.told.find(({ type }) => type === 'conversation.item.truncate')
  const items = () => server.told.flatMap(({ item }) => (item ? [item] : []))
  return {
    server,
    llmConfig: { provider: 'openai', model, base_url: `${server.baseUrl}/v1` },
    label: 'OpenAI',
    used: { provider: 'openai', model },
    answers: server.answers,
    says: (words) => server.heard.push(words),
    turnsAsked: () => server.types().filter((type) => type === 'input_audio_buffer.commit').length,
    answersAsked: () => server.told.filter(({ type }) => type === 'response.create').length,
    wasCancelled: () => server.types().includes('response.cancel'),
    // Words that it said itself are told by how long they were heard.
    wasToldOf: (words) =>
      JSON.stringify(items()).includes(words) || ((cut()?.audio_end_ms ?? 0) > 0 && words.startsWith('One')),
    toolResults: () => items().flatMap(({ output }) => (output === undefined ? [] : [output])),
    instructions: () => JSON.stringify(server.told.flatMap(({ session }) => (session ? [session] : []))),
    history: () => server.conversations.at(-1)?.join(' | ') ?? '',
  }
})

it('OpenAI’s library understands our realtime model, and is understood', async () => {
  const server = await openRealtimeServer('good')
  const front = await behindTls(server)
  server.heard.push('When do you open?')
  server.answers.push({ words: 'At nine.' })
  const client = new OpenAI({ apiKey: 'good', baseURL: `https://${front.host}/v1` })
  const socket = new OpenAIRealtimeWS({ model: 'gpt-realtime' }, client)
  onTestFinished(async () => {
    socket.close()
    front.close()
    await server.close()
  })
  const failures: string[] = []
  let [asked, said, bytes, tokens] = ['', '', 0, 0]
  socket.on('error', ({ message }) => failures.push(message))
  socket.on('session.created', () => {
    socket.send({ type: 'session.update', session: { type: 'realtime', output_modalities: ['audio'] } })
    const audio = Buffer.from(new Int16Array(2_400).fill(1_000).buffer).toString('base64')
    socket.send({ type: 'input_audio_buffer.append', audio })
    socket.send({ type: 'input_audio_buffer.commit' })
    socket.send({ type: 'response.create' })
  })
  socket.on('conversation.item.input_audio_transcription.completed', ({ transcript }) => {
    asked = transcript
  })
  socket.on('response.output_audio_transcript.delta', ({ delta }) => {
    said += delta
  })
  socket.on('response.output_audio.delta', ({ delta }) => {
    bytes += Buffer.from(delta, 'base64').length
  })
  socket.on('response.done', ({ response }) => {
    tokens = response.usage?.output_tokens ?? 0
  })
  await expect.poll(() => tokens).toBe(30)
  expect({ asked, said, bytes, failures }).toEqual({
    asked: 'When do you open?',
    said: 'At nine.',
    bytes: 2 * 24 * 70 * 'Atnine'.length,
    failures: [],
  })
})

const { cleanups } = vendorTalk()
const never = new AbortController().signal
const caller = (content: string) => ({ role: 'user', content }) as const

async function openMind(rules: RealtimeServerRules = {}) {
  const server = await openRealtimeServer('good', rules)
  const mind = openAiRealtime(
    {
      model: 'gpt-realtime',
      voice: undefined,
      transcription: { model: '', language: 'en-GB', keyterms: ['Nguyen'] },
      apiKey: 'good',
      baseUrl: `${server.baseUrl}/v1`,
    },
    { synthesizer: overClauses(new WordVoice(), 'any'), onNote() {}, onGone() {} },
  )
  cleanups.push(
    () => server.close(),
    () => mind.close(),
  )
  const ask = async (words: string, signal: AbortSignal = never) => {
    let text = ''
    for await (const part of mind.model.reply({ messages: [caller(words)], tools: [] }, signal))
      if (part.type === 'text') text += part.text
    return text
  }
  const count = (type: string) => server.types().filter((one) => one === type).length
  return { server, mind, ask, count }
}

it('a response that is cancelled before OpenAI has told its id is cancelled then, and the next one waits for its end', async () => {
  const { server, ask, count } = await openMind()
  server.answers.push({ words: 'Never mind.', isEndless: true }, { words: 'At nine.' })
  const begins = Promise.withResolvers<void>()
  server.state.created = begins.promise
  const stop = new AbortController()
  const first = ask('Hello?', stop.signal)
  await expect.poll(() => count('response.create')).toBe(1)
  stop.abort()
  const second = ask('When do you open?')
  await expect.poll(() => count('session.update')).toBeGreaterThan(0)
  expect([count('response.cancel'), count('response.create')]).toEqual([0, 1])
  begins.resolve()
  expect(await second).toBe('At nine.')
  await first
  expect([count('response.cancel'), count('response.create')]).toEqual([1, 2])
  expect(server.refused).toEqual([])
})

it('a response that OpenAI refuses because another is being made is asked for again when that is done', async () => {
  const { server, ask, count } = await openMind()
  server.answers.push({ words: 'At nine.' })
  server.state.isBusy = true
  const answer = ask('When do you open?')
  await expect.poll(() => server.refused).toEqual(['conversation_already_has_active_response'])
  server.becomeFree()
  expect(await answer).toBe('At nine.')
  expect(count('response.create')).toBe(2)
})

it('names and the language to expect go to the model that writes down what the caller says', async () => {
  const { server, ask } = await openMind()
  await ask('Hello?')
  expect(server.told[0]?.session).toMatchObject({
    audio: {
      input: { transcription: { model: 'gpt-live-transcribe', languages: ['en'], keywords: ['Nguyen'] } },
    },
  })
})

it('a question of ours brings the conversation that it is about, and is no part of it', async () => {
  const { server, mind } = await openMind()
  const messages = [{ role: 'system', content: 'Is it over?' } as const, caller('Caller: Thank you, bye.')]
  let answer = ''
  for await (const part of mind.model.reply({ messages, tools: [], isAside: true }, never))
    if (part.type === 'text') answer += part.text
  expect(answer).toBe('no')
  expect(server.told.find(({ type }) => type === 'response.create')?.response).toMatchObject({
    conversation: 'none',
    instructions: 'Is it over?',
    input: [{ role: 'user', content: [{ text: 'Caller: Thank you, bye.' }] }],
  })
})

it('a session is replaced between two turns, before OpenAI ends it', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  cleanups.push(() => vi.useRealTimers())
  const server = await openRealtimeServer('good', { lastsSeconds: 3_600 })
  cleanups.push(() => server.close())
  server.answers.push({ words: 'We open at nine.' }, { words: 'Until six.' })
  server.heard.push('When do you open?', 'Until when?')
  const talk = realtimeCall({
    llmConfig: { provider: 'openai', model: 'gpt-realtime', base_url: `${server.baseUrl}/v1` },
    welcome: 'Hello there.',
  })
  cleanups.push(() => talk.close())
  const { call, until, heard } = talk
  const says = async () => {
    const commits = () => server.types().filter((type) => type === 'input_audio_buffer.commit').length
    const before = commits()
    call.detector.tell('speech-start')
    for (let n = 0; n < 30; n++) await call.tick()
    call.detector.tell('speech-end')
    await until(() => commits() > before)
  }
  await call.answer()
  await until(() => call.spoken().length === 1)
  await says()
  await until(() => call.spoken().length === 3)
  expect(server.asked).toHaveLength(1)
  vi.advanceTimersByTime(3_300_000)
  await until(() => server.asked.length === 2 && server.connections.size === 1)
  await says()
  await until(() => call.spoken().length === 5)
  expect(heard()).toEqual('Hello there. We open at nine. Until six.'.split(' '))
  expect(server.conversations[1]).toEqual([
    'assistant: Hello there.',
    'user: When do you open?',
    'assistant: We open at nine.',
    'heard: Until when?',
    'assistant: Until six.',
  ])
  expect(talk.notes()).toEqual([])
})
