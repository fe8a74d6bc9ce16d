// Whole calls with a mind that hears and speaks itself, over a real socket in OpenAI's wire form.
import { setTimeout as wait } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { rehearse } from '../../../test/props/call/rehearsal.ts'
import { ScriptedTools } from '../../../test/props/call/scripted-model.ts'
import { openRealtimeServer, type RealtimeAnswer } from '../../../test/props/vendors/openai-realtime.ts'
import { openAiRealtime } from './openai.ts'

const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const clean of cleanups.splice(0).reverse()) await clean()
})

async function callWith(
  answers: readonly RealtimeAnswer[],
  { welcome = '', tools = new ScriptedTools() } = {},
) {
  const server = await openRealtimeServer('good')
  cleanups.push(() => server.close())
  server.answers.push(...answers)
  const mind = openAiRealtime({
    ...{
      model: 'gpt-realtime',
      voice: 'marin',
      language: 'en',
      apiKey: 'good',
      baseUrl: `${server.baseUrl}/v1`,
    },
  })
  cleanups.push(() => mind.close())
  const { transcriber, model, synthesizer } = mind
  const call = rehearse({
    agent: { agent_welcome_message: welcome, agent_prompt: 'You are Ada.' },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0 },
    tools,
    parts: { transcriber, model, synthesizer },
  })
  const until = async (condition: () => boolean, mostTicks = 5_000) => {
    for (let n = 0; n < mostTicks && !condition(); n++) {
      await call.tick()
      await wait(1)
    }
    if (!condition()) throw new Error(`it did not happen: ${condition}`)
  }
  const says = async (words: string) => {
    server.heard.push(words)
    const commits = () => server.types().filter((type) => type === 'input_audio_buffer.commit').length
    const before = commits()
    call.detector.tell('speech-start')
    for (let n = 0; n < 30; n++) await call.tick()
    call.detector.tell('speech-end')
    await until(() => commits() > before)
  }
  await call.answer()
  return { call, server, until, says }
}

it('a caller is heard and answered by the model itself; the call keeps its transcript, usage and greeting', async () => {
  const { call, server, until, says } = await callWith([{ words: 'We open at nine. Anything else?' }], {
    welcome: 'Hello there.',
  })
  await until(() => call.spoken().length === 1)
  await says('When do you open?')
  await until(() => call.spoken().length === 3)
  expect(call.spoken()).toEqual([
    'agent: Hello there.',
    'user: When do you open?',
    'agent: We open at nine. Anything else?',
  ])
  // The sound of the greeting, and that of the answer, which nobody else made.
  expect(call.line.sent).toEqual(expect.arrayContaining([1_000, 2_000]))
  const [session, told] = server.told.filter(({ type }) => type === 'session.update')
  expect(session?.session).toMatchObject({
    audio: { output: { voice: 'marin' }, input: { turn_detection: null } },
  })
  expect(told?.session).toMatchObject({ instructions: 'You are Ada.' })
  expect(server.types()).toContain('input_audio_buffer.append')
  expect(server.told.find(({ type }) => type === 'conversation.item.create')?.item).toMatchObject({
    role: 'assistant',
    content: [{ text: 'Hello there.' }],
  })
  call.session.stop('api')
  await until(() => call.isOver)
  expect(call.outcome.usage.models).toMatchObject([
    { provider: 'openai', model: 'gpt-realtime', inputTokens: 120, outputTokens: 30, cachedTokens: 20 },
  ])
})

it('an interruption ends the answer, and the model is told how much of it was heard', async () => {
  const long =
    'One two three four. Five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen.'
  const { call, server, until, says } = await callWith([
    { words: long, isEndless: true },
    { words: 'Sorry.' },
  ])
  await says('Please count.')
  await until(() => call.line.sent.filter((level) => level === 2_000).length > 20)
  await says('Stop, stop.')
  await until(() => server.types().includes('response.cancel'))
  await until(() => call.spoken().at(-1) === 'agent: Sorry.')
  const cut = server.told.find(({ type }) => type === 'conversation.item.truncate')
  expect(cut?.audio_end_ms).toBeGreaterThan(0)
  expect(cut?.audio_end_ms).toBeLessThan(1_600)
  expect(call.spoken()[1]).toMatch(/^agent: One/)
  expect(call.spoken()[1]).not.toContain('sixteen')
})

it('a tool runs as in any call, and the model goes on with its answer', async () => {
  const tools = new ScriptedTools('weather')
  const { call, server, until, says } = await callWith(
    [{ tool: { name: 'weather', arguments: '{"day":"today"}' } }, { words: 'It is sunny.' }],
    { tools },
  )
  await says('How is the weather?')
  await until(() => call.spoken().at(-1) === 'agent: It is sunny.')
  expect(tools.ran).toMatchObject([{ name: 'weather', arguments: '{"day":"today"}' }])
  expect(server.told.find(({ item }) => item?.type === 'function_call_output')?.item?.output).toBe(
    'It is sunny.',
  )
})

it('a connection that breaks is told in a sentence', async () => {
  const { call, server, until, says } = await callWith([{ words: 'Wait.', isEndless: true }])
  await says('Hello?')
  await until(() => server.types().includes('response.create'))
  for (const socket of server.connections) socket.terminate()
  await until(() => call.notes().some((note) => note.includes('OpenAI')))
})
