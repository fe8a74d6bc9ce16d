// Whole calls with a model server on loopback that speaks OpenAI's protocol: it answers, calls tools, fails, dies.
// They run on the virtual clock, which stands still during a request to the model unless the response stalls.
import { CallDetail } from '@parley/contract'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { moonshine, silero } from '../src/adapters/embedded/models/catalogue.ts'
import { pronunciation } from '../src/adapters/embedded/models/kokoro.ts'
import { modelsAtHand } from './props/engines/models-at-hand.ts'
import { type Answer, type ModelServer, openModelServer } from './props/servers/model-server.ts'
import { describeUnless } from './props/unless.ts'
import { newAgent, reaches } from './support/call-fixture.ts'
import { openService, type TestService } from './support/service.ts'
import { openVirtualRunner } from './support/virtual-runner.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)

const question = { say: 'When are you open?' }
const leave = { wait_for: 'agent_done', hang_up: true, after_ms: 300 }
const answer: Answer = { words: ['We are', ' open from nine', ' to five.'] }
const endCall = { id: 'call_1', name: 'end_call', pieces: ['{"reason":', '"done"}'] }

describeUnless(absent, 'a call with a model', () => {
  let service: TestService
  let server: ModelServer

  beforeAll(async () => {
    server = await openModelServer()
    service = await openService(
      {
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_LLM_BASE_URL: server.baseUrl,
        PARLEY_LLM_MODEL: 'first,second',
        PARLEY_DRAIN_SECONDS: '1',
      },
      undefined,
      openVirtualRunner,
    )
  })
  beforeEach(() => {
    server.asked.length = 0
  })
  afterAll(async () => {
    await service?.close()
    await server?.close()
  })

  /** From dialling to the record; the model gives these answers in order and repeats the last. */
  async function callWith(
    answers: readonly Answer[],
    steps: readonly object[] = [question, leave],
    agent: object = {},
  ) {
    server.answers.splice(0, server.answers.length, ...answers)
    const agent_id = await newAgent(service, {
      agent_welcome_message: 'Hello, this is the library.',
      agent_prompt: 'You are the desk of {place}.',
      ...agent,
    })
    const body = {
      agent_id,
      to_phone_number: '+15550100',
      variables: { place: 'the city library' },
      metadata: { sandbox: { ring_ms: 0, steps } },
    }
    const { session_id } = (await service.ask('POST', '/calls', { body })).body.data
    return reaches(service, session_id, 'completed', 'failed')
  }
  const saidBy = (call: { transcript: { role: string; content: string }[] }, who: string) =>
    call.transcript.filter(({ role }) => role === who).map(({ content }) => content)
  const modelsAsked = () => server.asked.map(({ body }) => body.model)

  it('speaks what the model streams, and sends it the conversation so far', async () => {
    const call = await callWith([answer])
    expect(call).toMatchObject({
      call_status: 'completed',
      hangup_reason: 'user_hangup',
      error_message: null,
    })
    expect(saidBy(call, 'agent').at(-1)).toBe('We are open from nine to five.')
    const asked = server.asked.at(-1)?.body.messages ?? []
    expect(asked.map(({ role }) => role)).toEqual(['system', 'assistant', 'user'])
    expect(asked[0]?.content).toContain('the desk of the city library')
    expect(asked[2]?.content).toMatch(/open/i)
    expect(call.usage.llm_output_tokens).toBeGreaterThan(0)
  })

  it('ends when the model calls end_call', async () => {
    const call = await callWith([{ words: ['Good-bye.'], calls: [endCall] }], [question])
    expect(call).toMatchObject({ call_status: 'completed', call_terminated_by: 'agent', error_message: null })
    expect(saidBy(call, 'agent').at(-1)).toContain('Good-bye')
  })

  it('is transferred to a destination of the agent, and the record says how', async () => {
    const destinations = [{ name: 'Front desk', to_phone_number: '+15550106', mode: 'cold' }]
    const transfer = { id: 'call_2', name: 'transfer_call', pieces: ['{"destination":', '"Front desk"}'] }
    const call = await callWith([{ words: ['I will connect you.'], calls: [transfer] }], [question], {
      call_transfer_config: { destinations },
    })
    expect(call).toMatchObject({
      ...{ call_status: 'completed', call_terminated_by: 'transfer', hangup_reason: 'transfer_completed' },
      answered_by: 'human',
    })
    expect(CallDetail.shape.transfer.parse(call.transfer)).toMatchObject({
      ...{ destination: 'Front desk', to: '+15550106', mode: 'cold', method: 'blind' },
      ...{ outcome: 'completed', reason: null },
    })
    expect(saidBy(call, 'tool')).toEqual(['The caller was connected to Front desk.'])
    expect(JSON.stringify(server.asked.at(-1)?.body)).toContain('transfer_call')
  })

  it('is answered by the second model when the first one fails', async () => {
    const call = await callWith([{ status: 500 }, { status: 500 }, answer])
    expect(call).toMatchObject({
      call_status: 'completed',
      hangup_reason: 'user_hangup',
      error_message: null,
    })
    expect(saidBy(call, 'agent').at(-1)).toBe('We are open from nine to five.')
    expect(modelsAsked()).toContain('second')
  })

  it('ends with an apology when all models fail', async () => {
    const fault: Answer = { status: 401, body: { error: { message: 'no such key' } } }
    const call = await callWith([fault], [question])
    expect(call).toMatchObject({ hangup_reason: 'llm_error', call_terminated_by: 'system' })
    expect(call.error_message).toBeTruthy()
    expect(saidBy(call, 'agent').at(-1)).toMatch(/having trouble/)
    expect(new Set(modelsAsked())).toEqual(new Set(['first', 'second']))
  })

  it('speaks the partial answer when the model stalls, and listens again', async () => {
    const stalled: Answer = { words: ['We are open. ', 'On'], after: 'stall' }
    const call = await callWith([stalled])
    expect(saidBy(call, 'agent')[1]).toMatch(/^We are open\./)
    expect(call).toMatchObject({ call_status: 'completed', hangup_reason: 'user_hangup' })
  })
})
