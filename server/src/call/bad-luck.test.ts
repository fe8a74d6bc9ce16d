// Everything that can fail in a call: each failure has a defined ending, and the session never throws.
import { describe, expect, it } from 'vitest'
import { MemoryRecording, rehearse } from '../../test/props/call/rehearsal.ts'
import { ScriptedTools, says, wants } from '../../test/props/call/scripted-model.ts'
import type { ToolCall } from '../ports/language-model.ts'

const apology = "agent: I'm sorry, I'm having trouble right now. Please call again later."
const sayAgain = "agent: I'm sorry, something went wrong. Could you say that again, please?"
const never = new Promise(() => {})

async function asked(replies: NonNullable<Parameters<typeof rehearse>[0]>['replies']) {
  const call = rehearse({ replies: replies ?? [] })
  await call.answer()
  await call.says('hello there')
  return call
}

describe('a model', () => {
  it.each([
    ['that answers nothing', ['', '']],
    ['that answers garbage', ['*** --- ###', '...']],
    ['that throws', [[new Error('Out of money.')], [new Error('Out of money.')]]],
  ])(
    '%s is asked again once, and then the caller, and a second such turn ends the call',
    async (_, replies) => {
      // The speculative attempt, the attempt for the turn, and one retry: speculative attempts do not count.
      const call = await asked([...replies, ...replies, ...replies, ...replies])
      await call.until(() => call.spoken().length === 2, 30_000)
      expect(call.spoken()).toEqual(['user: hello there', sayAgain])
      expect(call.isOver).toBe(false)
      await call.says('are you open on Sunday')
      await call.until(() => call.isOver, 30_000)
      expect(call.spoken().slice(2)).toEqual(['user: are you open on Sunday', apology])
      expect(call.outcome).toMatchObject({
        status: 'failed',
        terminatedBy: 'system',
        hangupReason: 'llm_error',
      })
      expect(call.outcome.errorMessage).toMatch(/\.$/)
      expect(call.line.hungUp).toBe(1)
    },
  )

  it('that fails in two turns with an answer between them does not end the call', async () => {
    const fault = [new Error('Out of breath.')]
    const call = rehearse({
      task: { optimize_latency: false },
      replies: [fault, fault, 'At nine.', fault, fault],
    })
    await call.answer()
    for (const [place, question] of ['when do you open', 'when', 'and on Sunday'].entries()) {
      await call.says(question)
      await call.until(() => call.spoken().length === 2 * (place + 1), 30_000)
    }
    expect(call.spoken().filter((line) => line.startsWith('agent'))).toEqual([
      sayAgain,
      'agent: At nine.',
      sayAgain,
    ])
    expect(call.isOver).toBe(false)
  })

  it('whose answer the caller interrupts has answered', async () => {
    const fault = [new Error('Out of breath.')]
    const replies = [fault, fault, 'We open at nine and we close at five. On Sundays never.', fault, fault]
    const call = rehearse({ task: { optimize_latency: false }, replies })
    await call.answer()
    await call.says('when do you open')
    await call.until(() => call.spoken().length === 2, 30_000)
    await call.says('when')
    await call.until(() => call.hears('We open at nine and we close at five.'))
    await call.says('wait and on Monday')
    await call.until(() => call.spoken().at(-1) === sayAgain, 30_000)
    expect(call.isOver).toBe(false)
  })

  it('that never answers is covered by a filler, and then the caller is asked to say it again', async () => {
    const call = await asked([[never], 'Here I am.'])
    await call.until(() => call.spoken().at(-1) === sayAgain, 40_000)
    expect(call.spoken()).toEqual(['user: hello there', 'agent: One moment.', sayAgain])
    await call.says('hello again')
    await call.until(() => call.hears('Here I am.'))
  })

  it('that has failed for good is not asked again in this turn', async () => {
    const refusal = Object.assign(new Error('It does not accept the key.'), { isFinal: true })
    const call = rehearse({ task: { optimize_latency: false }, replies: [[refusal], 'Hello.'] })
    await call.answer()
    await call.says('hello there')
    await call.until(() => call.spoken().length === 2)
    expect(call.spoken().at(-1)).toBe(sayAgain)
    expect(call.model.requests).toHaveLength(1)
  })

  it('that fails in the middle of a sentence keeps what was said, and is asked again', async () => {
    const gate = Promise.withResolvers<void>()
    const call = await asked([
      [says('First this happens. Then '), gate.promise, new Error('Cut.')],
      'As I was saying.',
    ])
    await call.until(() => call.hears('First this happens.'))
    gate.resolve()
    await call.until(() => call.spoken().length === 3)
    expect(call.spoken()).toEqual([
      'user: hello there',
      'agent: First this happens.',
      'agent: As I was saying.',
    ])
    expect(call.model.requests[1]?.messages.at(-1)).toEqual({
      role: 'assistant',
      content: 'First this happens.',
    })
  })

  it('that begins its answer again is heard only from where it broke off', async () => {
    const gate = Promise.withResolvers<void>()
    const call = await asked([
      [says('We open at nine. We close at five. And on'), gate.promise, new Error('Cut.')],
      'We open at nine! We close at five - and on Sundays we are closed.',
    ])
    await call.until(() => call.hears('We close at five.'))
    gate.resolve()
    await call.until(() => call.spoken().length === 3)
    expect(call.spoken().slice(1)).toEqual([
      'agent: We open at nine. We close at five.',
      'agent: and on Sundays we are closed.',
    ])
  })

  it('that has nothing to add to what it said before it broke off has answered', async () => {
    const gate = Promise.withResolvers<void>()
    const call = await asked([
      [says('We open at nine. '), gate.promise, new Error('Cut.')],
      'We open at nine.',
      'Yes.',
    ])
    await call.until(() => call.hears('We open at nine.'))
    gate.resolve()
    await call.until(() => call.model.requests.length === 2)
    await call.run(2_000)
    expect(call.spoken()).toEqual(['user: hello there', 'agent: We open at nine.'])
    await call.says('really')
    await call.until(() => call.hears('Yes.'))
  })

  it('that stalls in the middle of a sentence is not waited for', async () => {
    const call = await asked([[says('First this happens. Then '), never], 'As I was saying.'])
    await call.until(() => call.spoken().length === 3, 15_000)
    expect(call.spoken().at(-1)).toBe('agent: As I was saying.')
  })

  it('that never stops generating is cut off', async () => {
    const call = await asked(['So it goes on and on. '.repeat(2_000)])
    await call.run(1_000)
    expect(call.voice.texts).toHaveLength(1)
    call.session.stop('api')
    await call.tick()
    expect(call.outcome.usage.ttsCharacters).toBeLessThan(7_000)
  })

  it('that answers late is covered by a filler where fillers are enabled', async () => {
    const late = Promise.withResolvers<void>()
    const call = rehearse({ task: { use_fillers: true }, replies: [[late.promise, says('Here it is.')]] })
    await call.answer()
    await call.says('hello there')
    await call.until(() => call.hears('One moment.'))
    late.resolve()
    await call.until(() => call.hears('Here it is.'))
  })
})

describe('a slow tool', () => {
  const slow = () => {
    const tools = new ScriptedTools('find')
    const answer = Promise.withResolvers<string>()
    tools.answer = () => answer.promise
    return { tools, answer }
  }
  const wantsTool = [wants('find')]

  it('is covered at once if nothing was said, with words that fit, and not with the same ones again', async () => {
    const { tools, answer } = slow()
    const replies = [wantsTool, 'It is on its way.']
    const call = rehearse({ task: { use_fillers: true, optimize_latency: false }, tools, replies })
    await call.answer()
    await call.says('where is my order')
    await call.until(() => call.hears('Just a moment, please.'), 3_000)
    await call.until(() => call.hears('I am still checking.'), 14_000)
    answer.resolve('Tomorrow.')
    await call.until(() => call.hears('It is on its way.'))
    expect(call.voice.texts.flat()).not.toContain('One moment.')
  })

  it('is covered even without fillers when the line seems dead', async () => {
    const { tools, answer } = slow()
    const call = rehearse({ tools, replies: [wantsTool, 'It is on its way.'] })
    await call.answer()
    await call.says('where is my order')
    await call.run(2_000)
    expect(call.isSilent()).toBe(true)
    await call.until(() => call.hears('Just a moment, please.'), 3_000)
    answer.resolve('Tomorrow.')
    await call.until(() => call.hears('It is on its way.'))
  })

  it('whose own words were said is covered only after a longer silence', async () => {
    const { tools, answer } = slow()
    tools.waiting = 'I am asking the warehouse.'
    const replies = [wantsTool, 'It is on its way.']
    const call = rehearse({ task: { use_fillers: true }, tools, replies })
    await call.answer()
    await call.says('where is my order')
    await call.until(() => call.hears('I am asking the warehouse.'))
    await call.until(() => call.isSilent())
    await call.run(2_500)
    expect(call.isSilent()).toBe(true)
    await call.until(() => call.hears('Just a moment, please.'), 1_500)
    answer.resolve('Tomorrow.')
    await call.until(() => call.hears('It is on its way.'))
  })
})

it('no filler is said twice in a row, over many slow turns', async () => {
  const gates = Array.from({ length: 6 }, () => Promise.withResolvers<void>())
  const replies = gates.map(({ promise }, place) => [promise, says(`Answer ${place}.`)] as const)
  const call = rehearse({ task: { use_fillers: true, optimize_latency: false }, replies })
  await call.answer()
  for (const [place, gate] of gates.entries()) {
    await call.says(`question ${place}`)
    await call.run(1_500)
    gate.resolve()
    await call.until(() => call.spoken().at(-1)?.endsWith(`Answer ${place}.`) === true)
  }
  const fillers = call
    .spoken()
    .filter((line) => line.startsWith('agent: '))
    .map((line) => line.replace(/ Answer \d\.$/, ''))
  expect(fillers).toHaveLength(6)
  for (const [place, filler] of fillers.entries()) expect(filler).not.toBe(fillers[place + 1])
})

describe('a transcriber', () => {
  it('that fails is reopened', async () => {
    const call = rehearse({ replies: ['Hi.'] })
    await call.answer()
    call.ears.now.fail(new Error('Cut.'))
    await call.run(100)
    expect(call.ears.streams).toHaveLength(2)
    await call.says('hello there')
    await call.until(() => call.hears('Hi.'))
  })

  it('that fails again ends the call', async () => {
    const call = rehearse()
    await call.answer()
    call.ears.now.fail(new Error('Cut.'))
    await call.run(100)
    call.ears.now.fail(new Error('Cut again.'))
    await call.until(() => call.isOver, 15_000)
    expect(call.outcome).toMatchObject({
      status: 'failed',
      hangupReason: 'stt_error',
      errorMessage: 'Cut again.',
    })
    expect(call.spoken()).toEqual([apology])
  })

  it('that never opens ends the call', async () => {
    const call = rehearse()
    call.ears.refuses = 2
    await call.answer()
    await call.until(() => call.isOver, 15_000)
    expect(call.outcome.hangupReason).toBe('stt_error')
  })

  it('whose voice detector fails twice ends the call', async () => {
    const call = rehearse()
    await call.answer()
    call.detector.fail()
    await call.run(100)
    call.detector.fail()
    await call.until(() => call.isOver, 15_000)
    expect(call.outcome.hangupReason).toBe('stt_error')
  })
})

describe('a voice', () => {
  it.each(['throws', 'hangs', 'breaks off'] as const)(
    'that %s once is retried, and nothing is heard twice',
    async (fault) => {
      const call = rehearse({ agent: { agent_welcome_message: 'Hello there, dear caller.' } })
      call.voice.faults.push(fault)
      await call.answer()
      await call.run(8_000)
      expect(call.line.sent.filter((sample) => sample !== 0)).toHaveLength(4 * 10)
      expect(call.spoken()).toEqual(['agent: Hello there, dear caller.'])
    },
  )

  it.each(['throws', 'hangs'] as const)('that %s three times ends the call', async (fault) => {
    const call = rehearse({ agent: { agent_welcome_message: 'Hello.' } })
    call.voice.faults.push(fault, fault, fault)
    await call.answer()
    await call.until(() => call.isOver, 20_000)
    expect(call.outcome).toMatchObject({ status: 'failed', hangupReason: 'tts_error' })
  })
})

describe('a line', () => {
  it('that cannot be dialled fails the call', async () => {
    const connect = () => {
      throw new Error('No such carrier.')
    }
    const call = rehearse({ parts: { connect } })
    await call.tick()
    expect(call.outcome).toMatchObject({
      status: 'failed',
      terminatedBy: 'carrier',
      hangupReason: 'dial_failed',
      errorMessage: 'No such carrier.',
      answeredBy: null,
      answeredAfterMs: null,
      recorded: false,
    })
  })

  it('that breaks while we send ends the call without a throw from the session', async () => {
    const call = rehearse()
    call.line.send = () => {
      throw new Error('Gone.')
    }
    await call.answer()
    await call.tick()
    expect(call.outcome).toMatchObject({ status: 'failed', errorMessage: 'Gone.' })
  })

  it('whose caller hangs up in the middle of a sentence keeps what both sides said', async () => {
    const call = rehearse({ agent: { agent_welcome_message: 'Hello there dear caller how are you' } })
    await call.answer()
    await call.run(600)
    call.line.tell({ type: 'ended', cause: 'hangup' })
    await call.tick()
    expect(call.outcome.transcript).toMatchObject([
      { role: 'agent', content: 'Hello there dear', interrupted: true, startSeconds: 0.02, endSeconds: 0.62 },
    ])
  })

  it('stopped before the first tick is never dialled', async () => {
    const call = rehearse()
    call.session.stop('api')
    await call.tick()
    expect(call.outcome).toMatchObject({ status: 'canceled', hangupReason: 'api_stopped' })
  })
})

describe('a caller', () => {
  it('who never speaks is prompted, and then the call ends', async () => {
    const call = rehearse({ task: { hangup_after_silence: 12, trigger_user_online_message_after: 5 } })
    await call.answer()
    await call.until(() => call.isOver)
    expect(call.spoken()).toEqual(['agent: Hey, are you still there'])
    expect(call.outcome).toMatchObject({
      status: 'completed',
      hangupReason: 'inactivity_timeout',
      answeredBy: 'unknown',
    })
  })

  it('who never stops talking is cut off by the maximum duration', async () => {
    const call = rehearse({ task: { call_terminate: 60 } })
    await call.answer()
    call.detector.tell('speech-start')
    for (let n = 0; n < 100 && !call.isOver; n++) {
      call.ears.now.push({ type: n % 10 === 9 ? 'final' : 'partial', text: `and then ${n}` })
      await call.run(1_000)
    }
    expect(call.outcome).toMatchObject({ status: 'completed', hangupReason: 'max_duration_reached' })
    expect(call.outcome.transcript.at(-1)?.content).toContain('and then 49')
  })

  it('who is hold music, endless voice without words, ends the call by silence', async () => {
    const call = rehearse()
    await call.answer()
    call.detector.tell('speech-start')
    await call.until(() => call.isOver)
    expect(call.outcome.hangupReason).toBe('inactivity_timeout')
  })

  it('that is an answering machine is hung up on', async () => {
    const call = rehearse({ agent: { agent_welcome_message: 'Hello.' } })
    await call.answer()
    call.detector.tell('speech-start')
    call.ears.now.push({ type: 'partial', text: 'you have reached Bob please leave a message' })
    await call.tick()
    expect(call.outcome).toMatchObject({ hangupReason: 'voicemail_detected', answeredBy: 'voicemail' })
  })
})

describe('a recording', () => {
  const failing = (part: Partial<MemoryRecording>) => Object.assign(new MemoryRecording(), part)

  it.each([
    [
      'that cannot begin',
      () => {
        throw new Error('Disk full.')
      },
    ],
    [
      'that cannot be written',
      () =>
        failing({
          write: () => {
            throw new Error('Disk full.')
          },
        }),
    ],
    ['that cannot be closed', () => failing({ close: () => Promise.reject(new Error('Disk full.')) })],
  ])('%s does not end the call, and is noted', async (_, recording) => {
    const call = rehearse({ parts: { recording } })
    await call.answer()
    await call.run(1_000)
    expect(call.isOver).toBe(false)
    call.session.stop('api')
    await call.tick()
    expect(call.outcome).toMatchObject({ status: 'completed', recorded: false })
    expect(call.notes().some((note) => note.includes('Disk full.'))).toBe(true)
  })

  it('that never closes is not waited for', async () => {
    const call = rehearse({ parts: { recording: () => failing({ close: () => new Promise(() => {}) }) } })
    await call.answer()
    await call.run(100)
    call.session.stop('api')
    await call.run(9_000)
    expect(call.isOver).toBe(false)
    await call.run(1_500)
    expect(call.outcome.recorded).toBe(false)
  })
})

describe('after the end', () => {
  it('nothing is left open, and no more audio is processed', async () => {
    const call = rehearse({ replies: [[says('One. '), never]] })
    await call.answer()
    await call.says('hello there')
    await call.run(600)
    call.session.stop('api')
    await call.tick()
    const sent = call.line.sent.length
    call.line.tell({ type: 'digit', digit: '1' })
    call.ears.now.push({ type: 'final', text: 'hello again' })
    call.detector.tell('speech-start')
    await call.run(2_000)
    expect(call.line.sent).toHaveLength(sent)
    expect(call.detector.streamsOpen).toBe(0)
    expect(call.ears.now.finished).toBe(true)
    expect([...call.ears.signals, ...call.model.signals].every(({ aborted }) => aborted)).toBe(true)
    expect(call.recording.closed).toBe(1)
    expect(call.tools.ran).toEqual([] satisfies ToolCall[])
  })
})
