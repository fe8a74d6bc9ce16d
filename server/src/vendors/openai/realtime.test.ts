// OpenAI's realtime interface as a mind that hears and speaks itself.
import OpenAI from 'openai'
import { OpenAIRealtimeWS } from 'openai/realtime/ws'
import { expect, it, onTestFinished } from 'vitest'
import { behindTls } from '../../../test/props/vendors/behind-tls.ts'
import { openRealtimeServer } from '../../../test/props/vendors/openai-realtime.ts'
import { realtimeSuite } from '../../../test/props/vendors/realtime-suite.ts'

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
