// Whole calls, ticked by hand: what the caller hears, what is recorded, how they end.
import { describe, expect, it } from 'vitest'
import { rehearse } from '../../test/props/call/rehearsal.ts'
import { ScriptedTools, says, wants } from '../../test/props/call/scripted-model.ts'

const greeting = 'Hello, this is Maple Dental. How can I help?'
const greeted = { agent_welcome_message: greeting }
const long = 'We are open from nine in the morning until six in the evening every day'

/** A call in which the agent is in the middle of a long reply. */
async function midReply(task = {}) {
  const call = rehearse({ task, replies: [long] })
  await call.answer()
  await call.says('when are you open')
  await call.until(() => call.hears(long))
  await call.run(980)
  return call
}

describe('a call', () => {
  it('greets on the first tick after the answer, with audio synthesized while it rang', async () => {
    const call = rehearse({ agent: greeted })
    await call.tick()
    call.line.tell({ type: 'ringing' })
    await call.run(500)
    expect(call.line.sent).toEqual([])
    await call.answer()
    await call.tick()
    expect(call.line.sent).toEqual([call.voice.sampleOf('Hello, this is Maple Dental.')])
  })

  it('is picked up once, when the greeting can be heard', async () => {
    const call = rehearse({ agent: greeted })
    await call.tick()
    expect(call.line.pickedUp).toBe(0)
    await call.run(500)
    expect(call.line.pickedUp).toBe(1)
    await call.answer()
    await call.run(500)
    expect(call.line.pickedUp).toBe(1)
  })

  it('is not dialled before its engines are loaded', async () => {
    let isLoaded = false
    const call = rehearse({ agent: greeted, parts: { isLoaded: () => isLoaded } })
    await call.run(9_000)
    expect([call.line.isConnected, call.updates, call.voice.texts]).toEqual([false, [], []])
    isLoaded = true
    await call.tick()
    expect(call.line.isConnected).toBe(true)
    await call.answer()
    await call.until(() => call.hears('Hello, this is Maple Dental.'), 100)
    call.session.stop('api')
    await call.tick()
    expect(call.outcome).toMatchObject({ status: 'completed', durationSeconds: expect.any(Number) })
    expect(call.outcome.durationSeconds).toBeLessThan(2)
  })

  it('fails undialled when its engines take a minute', async () => {
    const call = rehearse({ agent: greeted, parts: { isLoaded: () => false } })
    await call.run(59_000)
    expect(call.isOver).toBe(false)
    await call.run(1_100)
    expect(call.line.isConnected).toBe(false)
    expect(call.outcome).toMatchObject({
      status: 'failed',
      hangupReason: 'tts_error',
      errorMessage: 'The offline engines were not loaded within a minute.',
      answeredAfterMs: null,
    })
  })

  it('can be stopped while its engines are loaded', async () => {
    const call = rehearse({ parts: { isLoaded: () => false } })
    await call.run(1_000)
    call.session.stop('api')
    await call.tick()
    expect(call.line.isConnected).toBe(false)
    expect(call.outcome).toMatchObject({ status: 'canceled', hangupReason: 'api_stopped' })
  })

  it('that comes in rings at once, and is answered when its engines are loaded', async () => {
    let isLoaded = false
    const call = rehearse({ callType: 'inbound', agent: greeted, parts: { isLoaded: () => isLoaded } })
    await call.run(12_000)
    expect([call.line.isConnected, call.line.pickedUp]).toEqual([true, 0])
    isLoaded = true
    await call.tick()
    expect(call.line.pickedUp).toBe(1)
  })

  it('that comes in is answered before its trunk gives up, whatever is loaded', async () => {
    const call = rehearse({ callType: 'inbound', agent: greeted, parts: { isLoaded: () => false } })
    await call.run(24_500)
    expect(call.line.pickedUp).toBe(0)
    await call.run(1_000)
    expect(call.line.pickedUp).toBe(1)
  })

  it('answers what the caller says, and keeps both in the transcript', async () => {
    const call = rehearse({ agent: greeted, replies: ['We are open until six.'] })
    await call.answer()
    await call.run(3_000)
    await call.says('when do you close')
    await call.until(() => call.hears('We are open until six.'))
    await call.run(2_000)
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await call.tick()
    expect(call.spoken()).toEqual([
      `agent: ${greeting}`,
      'user: when do you close',
      'agent: We are open until six.',
    ])
    expect(call.outcome).toMatchObject({
      status: 'completed',
      terminatedBy: 'user',
      hangupReason: 'user_hangup',
      answeredBy: 'human',
      callSid: 'sid-1',
      recorded: true,
      usage: { llmInputTokens: 10, llmOutputTokens: 5, ttsCharacters: 65 },
    })
    expect(call.line.hungUp).toBe(0)
  })

  it('sends exactly one frame per tick from the answer on', async () => {
    const call = rehearse({ agent: greeted })
    await call.answer()
    await call.run(10_000)
    expect(call.line.sent).toHaveLength(500)
  })

  it('speaks on the very tick on which the turn ends, when the reply was made ahead', async () => {
    const call = rehearse({ replies: ['Sure.'] })
    await call.answer()
    await call.says('hello there')
    await call.until(() => call.updates.some(({ type }) => type === 'transcript'))
    expect(call.hears('Sure.')).toBe(true)
    const [latency] = call.updates.flatMap((update) => (update.type === 'latency' ? [update.latency] : []))
    expect(latency).toMatchObject({ turn: 1, endpointingMs: 500, sttMs: 0, llmMs: 0, ttsMs: 0, totalMs: 500 })
  })

  it('mixes background noise under everything', async () => {
    const call = rehearse({
      agent: { agent_welcome_message: 'Hi.' },
      parts: { ambience: (rateHz) => () => ({ samples: new Int16Array(160).fill(7), rateHz }) },
    })
    await call.answer()
    await call.run(400)
    expect(call.line.sent[0]).toBe(107)
    expect(call.line.sent.at(-1)).toBe(7)
  })

  it('fills placeholders in the greeting and in the prompt', async () => {
    const call = rehearse({
      agent: {
        agent_welcome_message: 'Hi {name}.',
        agent_prompt: 'You call {to_phone_number} on {current_date}.{x}',
      },
      variables: { name: 'Ann' },
    })
    await call.answer()
    await call.run(500)
    await call.says('hello there')
    await call.run(1_000)
    expect(call.voice.texts).toContain('Hi Ann.')
    expect(call.model.requests[0]?.messages[0]).toEqual({
      role: 'system',
      content: 'You call +15550100 on Tuesday, January 1, 2030.',
    })
  })

  it('reports partial words at most four times a second', async () => {
    const call = rehearse()
    await call.answer()
    call.detector.tell('speech-start')
    for (let n = 1; n <= 50; n++) {
      call.ears.now.push({ type: 'partial', text: `word${' word'.repeat(n)}` })
      await call.tick()
    }
    const told = call.updates.filter((update) => update.type === 'partial')
    expect(told.length).toBeGreaterThan(2)
    expect(told.length).toBeLessThanOrEqual(5)
  })
})

describe('an interruption', () => {
  it('fades the agent out within one frame, and the transcript keeps what was heard', async () => {
    const call = await midReply()
    call.detector.tell('speech-start')
    await call.tick()
    await call.tick()
    expect(call.isSilent()).toBe(true)
    call.ears.now.push({ type: 'partial', text: 'and on Sundays' })
    await call.run(200)
    expect(call.isSilent()).toBe(true)
    expect(call.spoken().at(-1)).toBe('agent: We are open from nine in')
    call.session.stop('api')
    await call.tick()
    expect(call.outcome.transcript[1]).toMatchObject({ role: 'agent', interrupted: true })
  })

  it('is answered aloud', async () => {
    const call = await midReply()
    await call.says('and on Sundays')
    await call.until(() => call.hears('Okay, anything else?'), 3_000)
  })

  it('by a cough lets the sentence resume where it stopped', async () => {
    const call = await midReply()
    const played = call.line.sent.filter((sample) => sample !== 0).length
    call.detector.tell('speech-start')
    await call.run(200)
    call.detector.tell('speech-end')
    await call.until(() => !call.isSilent())
    await call.until(() => call.isSilent())
    // Each frame is identified by its first sample; the one that fades in begins with zero.
    expect(call.line.sent.filter((sample) => sample !== 0)).toHaveLength(15 * 10 - 1)
    expect(played).toBeGreaterThan(0)
    expect(call.spoken().at(-1)).toBe(`agent: ${long}`)
  })

  it('never happens when 0 words interrupt', async () => {
    const call = await midReply({ number_of_words_for_interruption: 0 })
    await call.says('please stop talking', 400)
    expect(call.isSilent()).toBe(false)
    await call.until(() => call.spoken().includes('user: please stop talking'))
  })

  it('runs no tool of the reply that it ended', async () => {
    const tools = new ScriptedTools('book')
    const gate = Promise.withResolvers<void>()
    const call = rehearse({
      tools,
      replies: [[says('Let me book that for you now. '), gate.promise, wants('book')]],
    })
    await call.answer()
    await call.says('book a table')
    await call.until(() => call.hears('Let me book that for you now.'))
    call.detector.tell('speech-start')
    call.ears.now.push({ type: 'partial', text: 'no wait' })
    await call.run(100)
    gate.resolve()
    await call.run(1_000)
    expect(tools.ran).toEqual([])
  })

  it('aborts the running tool and ignores its result', async () => {
    const tools = new ScriptedTools('book')
    tools.answer = (_, signal) =>
      new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(new Error('aborted'))))
    const call = rehearse({ tools, replies: [[wants('book')]] })
    await call.answer()
    await call.says('book a table')
    await call.until(() => tools.ran.length === 1)
    await call.says('no wait a second')
    const phases = call.updates.flatMap((update) => (update.type === 'tool' ? [update.phase] : []))
    expect(phases).toEqual(['started', 'discarded'])
  })
})

describe('tools', () => {
  it('run only once the turn is certain', async () => {
    const tools = new ScriptedTools('weather')
    const call = rehearse({ tools, replies: [[wants('weather')], 'It is sunny.'] })
    await call.answer()
    await call.says('how is the weather')
    await call.run(100)
    expect(call.model.requests).toHaveLength(1)
    expect(tools.ran).toEqual([])
    await call.until(() => call.hears('It is sunny.'))
    expect(tools.ran).toHaveLength(1)
    expect(call.model.requests[1]?.messages.slice(-2)).toMatchObject([
      { role: 'assistant', toolCalls: [{ name: 'weather' }] },
      { role: 'tool', content: 'It is sunny.', toolCallId: 'call-weather' },
    ])
    await call.run(1_000)
    expect(call.spoken()).toEqual(['user: how is the weather', 'tool: It is sunny.', 'agent: It is sunny.'])
  })

  it('are covered by the phrase that their owner wrote', async () => {
    const tools = new ScriptedTools('weather')
    tools.waiting = 'Let me look.'
    const answer = Promise.withResolvers<string>()
    tools.answer = () => answer.promise
    const call = rehearse({ tools, replies: [[wants('weather')], 'It is sunny.'] })
    await call.answer()
    await call.says('how is the weather')
    await call.until(() => call.hears('Let me look.'))
    answer.resolve('sunny')
    await call.until(() => call.hears('It is sunny.'))
  })

  it('that never answer are abandoned, and the model learns it', async () => {
    const tools = new ScriptedTools('weather')
    tools.answer = () => new Promise(() => {})
    const call = rehearse({ tools, replies: [[wants('weather')], 'I cannot see it.'] })
    await call.answer()
    await call.says('how is the weather')
    await call.until(() => call.hears('I cannot see it.'))
    expect(call.model.requests[1]?.messages.at(-1)?.content).toBe('The tool did not answer in time.')
  })

  it('are not called in an endless loop', async () => {
    const tools = new ScriptedTools('weather')
    const call = rehearse({
      tools,
      replies: Array.from({ length: 5 }, () => [says('Hm. '), wants('weather')]),
    })
    await call.answer()
    await call.says('how is the weather')
    await call.run(8_000)
    expect(tools.ran).toHaveLength(4)
    expect(call.model.requests[4]?.tools).toEqual([])
  })

  it('end the call after the goodbye was heard', async () => {
    const call = rehearse({
      task: { end_call_tool_mode: 'auto', call_hangup_message: 'Thanks for calling.' },
      replies: [[says('Goodbye, Ann.'), wants('end_call')]],
    })
    await call.answer()
    await call.says('that was all')
    await call.until(() => call.isOver)
    expect(call.spoken().at(-1)).toBe('agent: Goodbye, Ann.')
    expect(call.outcome).toMatchObject({ terminatedBy: 'agent', hangupReason: 'end_call_tool' })
    expect(call.line.hungUp).toBe(1)
  })
})

describe('the model is asked whether the conversation has ended', () => {
  it('and the farewell is said when it has', async () => {
    const call = rehearse({
      task: { hangup_after_LLMCall: true, call_hangup_message: { de: 'Auf Wiedersehen.', en: 'Bye now.' } },
      agent: { language: 'de-DE' },
      replies: ['You are welcome.', 'Yes.'],
    })
    await call.answer()
    await call.says('thank you bye')
    await call.until(() => call.isOver)
    expect(call.spoken()).toEqual([
      'user: thank you bye',
      'agent: You are welcome.',
      'agent: Auf Wiedersehen.',
    ])
    expect(call.outcome.hangupReason).toBe('agent_hangup')
  })
})

describe('a caller who may speak any language', () => {
  const spoken = { agent: { language: 'auto', agent_prompt: 'Be brief.' }, replies: ['Hola.', 'Bonjour.'] }

  it('is answered in the language of the last sentence, and the model is told which', async () => {
    const call = rehearse({ ...spoken, parts: { voiceIn: (language) => `voice-${language}` } })
    await call.answer()
    call.ears.now.push({ type: 'language', language: 'es' })
    await call.says('buenos días')
    await call.until(() => call.spoken().includes('agent: Hola.'))
    call.ears.now.push({ type: 'language', language: 'fr' })
    await call.says('au revoir')
    await call.until(() => call.spoken().includes('agent: Bonjour.'))
    // A reply may be prepared more than once.
    const once = (values: readonly unknown[]) => [...new Set(values)]
    expect(once(call.voice.options.map(({ voice, language }) => `${voice} ${language}`))).toEqual([
      'voice-es es',
      'voice-fr fr',
    ])
    expect(once(call.model.requests.map(({ messages }) => messages[0]?.content))).toEqual([
      'Be brief.\n\nThe caller speaks Spanish: answer in Spanish.',
      'Be brief.\n\nThe caller speaks French: answer in French.',
    ])
    expect(call.notes()).toEqual(['The caller speaks Spanish.', 'The caller speaks French.'])
  })

  it('keeps the voice of an agent that has one for all languages', async () => {
    const call = rehearse(spoken)
    await call.answer()
    call.ears.now.push({ type: 'language', language: 'es' })
    await call.says('buenos días')
    await call.until(() => call.spoken().includes('agent: Hola.'))
    expect(call.voice.options.every(({ voice }) => voice === 'test')).toBe(true)
  })
})

describe('a skipped tick', () => {
  it('leaves silence on our side, sends nothing twice, and the recording is as long as the call', async () => {
    const call = rehearse({ agent: { agent_welcome_message: 'Hi there.' } })
    await call.answer()
    await call.tick()
    for (const sample of [1, 2, 3]) call.line.bring(sample)
    await call.tick(60)
    await call.tick()
    expect(call.line.sent).toEqual([100, 100, 100])
    expect(call.recording.agent).toEqual([100, 0, 0, 100, 100])
    expect(call.recording.caller).toEqual([0, 1, 2, 3, 0])
    call.session.stop('api')
    await call.tick()
    expect(call.outcome.durationSeconds).toBe(0.1)
  })
})
