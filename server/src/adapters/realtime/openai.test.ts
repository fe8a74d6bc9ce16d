// OpenAI's realtime interface as a mind that hears and speaks itself.
import { openRealtimeServer } from '../../../test/props/vendors/openai-realtime.ts'
import { realtimeSuite } from '../../../test/props/vendors/realtime-suite.ts'
import { openAiRealtime } from './openai.ts'

realtimeSuite('OpenAI', async () => {
  const server = await openRealtimeServer('good')
  const options = { model: 'gpt-realtime', voice: 'marin', language: 'en', apiKey: 'good' }
  const mind = openAiRealtime({ ...options, baseUrl: `${server.baseUrl}/v1` })
  const cut = () => server.told.find(({ type }) => type === 'conversation.item.truncate')
  const items = () => server.told.flatMap(({ item }) => (item ? [item] : []))
  return {
    ...{
      mind,
      label: 'OpenAI',
      used: { provider: 'openai', model: 'gpt-realtime' },
      answers: server.answers,
    },
    says: (words) => server.heard.push(words),
    turnsAsked: () => server.types().filter((type) => type === 'input_audio_buffer.commit').length,
    wasCancelled: () => server.types().includes('response.cancel'),
    // Words that it said itself are told by how long they were heard.
    wasToldOf: (words) =>
      JSON.stringify(items()).includes(words) || ((cut()?.audio_end_ms ?? 0) > 0 && words.startsWith('One')),
    toolResults: () => items().flatMap(({ output }) => (output === undefined ? [] : [output])),
    instructions: () => JSON.stringify(server.told.flatMap(({ session }) => (session ? [session] : []))),
    breakOff() {
      for (const socket of server.connections) socket.terminate()
    },
    close: () => server.close(),
  }
})
