// What people, machines and networks do on a telephone, ticked by hand: voicemail, screening, announcements, digits.
import { describe, expect, it } from 'vitest'
import { rehearse, type Scene, settle } from '../../test/props/call/rehearsal.ts'
import { says, wants } from '../../test/props/call/scripted-model.ts'
import { makeFrame } from '../media/frame.ts'

const greeting = 'Hello, this is Maple Dental.'
const message = 'Hello Ada, please call us back.'

const telephone = (settings: object): NonNullable<Scene['agent']> => ({
  agent_welcome_message: greeting,
  api_tools: { telephone: settings },
})
const leaves = telephone({
  voicemail: { action: 'leave_message', message: 'Hello {name}, please call us back.' },
})

type Call = ReturnType<typeof rehearse>

async function answered(agent: NonNullable<Scene['agent']>, more: Partial<Scene> = {}): Promise<Call> {
  const call = rehearse({ agent, variables: { name: 'Ada' }, ...more })
  await call.answer()
  return call
}

/** A voice that goes on, with these words so far. */
async function recording(call: Call, words: string, ms = 2_000) {
  call.detector.tell('speech-start')
  await call.run(ms)
  call.ears.now.push({ type: 'partial', text: words })
  // What the agent was saying fades out.
  await call.run(60)
}

/** Sines, one after the other, as the line brings them. */
async function tones(call: Call, ...list: readonly (readonly [hz: number, ms: number])[]) {
  const frame = makeFrame(8_000)
  for (const [hz, ms] of list)
    for (let at = 0; at < (ms * 8_000) / 1_000; at += 160) {
      for (let n = 0; n < 160; n++) frame.samples[n] = 6_000 * Math.sin((2 * Math.PI * hz * (at + n)) / 8_000)
      call.line.bringFrame(frame)
      await call.tick()
    }
  for (let ms = 0; ms < 400; ms += 20) {
    call.line.bring(0)
    await call.tick()
  }
}

describe('a voicemail box', () => {
  const words = 'you have reached Bob please leave a message'

  it('is hung up on, unless the agent says otherwise', async () => {
    const call = await answered(telephone({}))
    await recording(call, words)
    expect(call.outcome).toMatchObject({
      status: 'completed',
      hangupReason: 'voicemail_detected',
      terminatedBy: 'system',
      answeredBy: 'voicemail',
    })
    expect(call.notes()).toContain('The call was answered by a voicemail box, by what was said.')
  })

  it('gets the message after its beep, and then the agent hangs up', async () => {
    const call = await answered(leaves)
    await recording(call, words)
    expect(call.isOver).toBe(false)
    expect(call.isSilent()).toBe(true)
    await call.run(3_000)
    expect(call.isSilent()).toBe(true)
    call.detector.tell('speech-end')
    await tones(call, [1_000, 500])
    await call.until(() => call.hears(message))
    await call.until(() => call.isOver)
    expect(call.outcome).toMatchObject({
      status: 'completed',
      hangupReason: 'voicemail_detected',
      terminatedBy: 'agent',
      answeredBy: 'voicemail',
    })
    expect(call.spoken()).toContain(`agent: ${message}`)
    expect(call.model.requests).toEqual([])
  })

  it('without a beep gets the message when it has been quiet for a while', async () => {
    const call = await answered(leaves)
    await recording(call, words)
    call.detector.tell('speech-end')
    await call.run(3_000)
    expect(call.isSilent()).toBe(true)
    await call.until(() => call.hears(message), 2_000)
  })

  it('that only beeps is known by its beep, and gets the message at once', async () => {
    const call = await answered(leaves)
    await call.until(() => call.isSilent())
    await tones(call, [850, 400])
    await call.until(() => call.hears(message), 500)
  })

  /** Speaks at once and without a pause, three words a second. */
  async function goesOn(call: Call, words: string) {
    call.detector.tell('speech-start')
    const all = words.split(' ')
    for (let said = 3; said < all.length + 3 && !call.isOver; said += 3) {
      await call.run(1_000)
      call.ears.now.push({ type: 'partial', text: all.slice(0, said).join(' ') })
    }
  }

  it('is known by how long it goes on with words that recordings say', async () => {
    const call = await answered(telephone({}))
    await goesOn(call, 'thank you for calling the choir of Saint Mary we rehearse')
    expect(call.isOver).toBe(false)
    await call.run(1_800)
    expect(call.outcome).toMatchObject({ hangupReason: 'voicemail_detected', answeredBy: 'voicemail' })
    expect(call.notes()).toContain('The call was answered by a voicemail box, by how long it went on.')
  })

  it('is talked to in doubt: nothing that it says is a machine’s, and some people speak for long', async () => {
    const call = await answered(telephone({}))
    const words = 'we are so glad about your interest in the choir of Saint Mary and everybody is welcome'
    await goesOn(call, `${words} from the first evening on whether they read music or not ${words}`)
    call.detector.tell('speech-end')
    call.ears.now.push({ type: 'final', text: words })
    await call.until(() => call.hears('Okay, anything else?'))
  })

  it('is talked to where the agent goes on', async () => {
    const call = await answered(telephone({ voicemail: { action: 'go_on' } }), {
      replies: ['Hello, machine.'],
    })
    await call.until(() => call.isSilent())
    await call.says(words)
    await call.until(() => call.hears('Hello, machine.'))
    call.session.stop('api')
    await settle()
    expect(call.outcome.answeredBy).toBe('voicemail')
  })
})

describe('a person', () => {
  it('who says hello and waits hears the greeting without a pause', async () => {
    const call = await answered(telephone({}))
    await call.tick()
    expect(call.hears(greeting)).toBe(true)
    await call.says('Hello?', 400)
    await call.until(() => call.isSilent())
    expect(call.spoken()).toContain(`agent: ${greeting}`)
    await call.says('I need an appointment')
    await call.until(() => call.hears('Okay, anything else?'))
    call.session.stop('api')
    await settle()
    expect(call.outcome.answeredBy).toBe('human')
  })

  it('who says nothing but hello is still one', async () => {
    const call = await answered(telephone({}))
    await call.says('Hello?', 400)
    await call.until(() => call.isSilent())
    await call.run(2_000)
    call.session.stop('api')
    await settle()
    expect(call.outcome.answeredBy).toBe('human')
  })

  it('whose telephone signals a second call is neither a machine nor pressing keys', async () => {
    const call = await answered(telephone({}))
    await call.until(() => call.isSilent())
    await tones(call, [440, 300])
    await tones(call, [440, 300])
    await call.run(3_000)
    expect(call.isOver).toBe(false)
    expect(call.model.requests).toEqual([])
  })

  it('who calls us is not taken for a machine', async () => {
    const call = rehearse({ callType: 'inbound', replies: ['Of course.'] })
    await call.answer()
    await call.says('can I leave a message after the tone on your voicemail')
    await call.until(() => call.hears('Of course.'))
  })
})

describe('a screening service', () => {
  const question = 'Please say your name and why you are calling.'
  const agent = telephone({ screening: { answer: 'Maple Dental, about an appointment.' } })

  it('is told who calls and why, and the person who then comes is greeted', async () => {
    const call = await answered(agent, { replies: ['Tomorrow at nine.'] })
    await recording(call, question)
    expect(call.isSilent()).toBe(true)
    call.detector.tell('speech-end')
    call.ears.now.push({ type: 'final', text: question })
    await call.until(() => call.hears('Maple Dental, about an appointment.'), 2_000)
    await call.until(() => call.isSilent())
    await call.says('Thank you. Please stay on the line.')
    await call.run(20_000)
    expect(call.isOver).toBe(false)
    expect(call.model.requests).toEqual([])
    await call.says('Hello?')
    await call.until(() => call.hears(greeting), 3_000)
    await call.until(() => call.isSilent())
    await call.says('when can I come')
    await call.until(() => call.hears('Tomorrow at nine.'), 3_000)
    call.session.stop('api')
    await settle()
    expect(call.outcome.answeredBy).toBe('human')
    expect(call.spoken()).toEqual([
      `user: ${question}`,
      'agent: Maple Dental, about an appointment.',
      'user: Thank you. Please stay on the line.',
      'user: Hello?',
      `agent: ${greeting}`,
      'user: when can I come',
    ])
  })

  it('that fetches nobody is left after a minute', async () => {
    const call = await answered(agent)
    await recording(call, question)
    call.detector.tell('speech-end')
    await call.until(() => call.hears('Maple Dental, about an appointment.'), 2_000)
    await call.until(() => call.isOver, 70_000)
    expect(call.outcome).toMatchObject({ hangupReason: 'inactivity_timeout', answeredBy: 'screening' })
  })

  it('that offers to take a message is a voicemail box', async () => {
    const call = await answered(agent)
    await recording(call, question)
    call.detector.tell('speech-end')
    await call.until(() => call.hears('Maple Dental, about an appointment.'), 2_000)
    await call.until(() => call.isSilent())
    await recording(call, 'nobody is available please leave a message after the tone')
    expect(call.outcome).toMatchObject({ hangupReason: 'voicemail_detected', answeredBy: 'voicemail' })
  })
})

describe('an announcement', () => {
  it('that the number is not in service ends the call as failed, with its reason', async () => {
    const call = await answered(telephone({}))
    await recording(call, 'the number you have dialed is not in service')
    expect(call.outcome).toMatchObject({
      status: 'failed',
      hangupReason: 'dial_failed',
      terminatedBy: 'carrier',
      answeredBy: 'unavailable',
      errorMessage: 'The network announced that the number is not in service.',
    })
  })

  it.each(['before', 'after'])('is known by its tones, %s the answer', async (when) => {
    const call = rehearse({ agent: telephone({}) })
    if (when === 'after') await call.answer()
    else await call.tick()
    await tones(call, [950, 320], [1_400, 320], [1_800, 320])
    expect(call.outcome).toMatchObject({ status: 'failed', answeredBy: 'unavailable' })
  })

  it('that nobody can be reached is no answer, if nothing follows', async () => {
    const call = await answered(telephone({}))
    await recording(call, 'the person you are trying to reach is not available')
    call.detector.tell('speech-end')
    await call.run(1_500)
    expect(call.isOver).toBe(false)
    await call.run(700)
    expect(call.outcome).toMatchObject({
      status: 'no-answer',
      hangupReason: 'dial_no_answer',
      answeredBy: 'unavailable',
    })
  })

  it('that goes on with an offer to record is a voicemail box', async () => {
    const call = await answered(leaves)
    await recording(call, 'the person you are trying to reach is not available')
    call.ears.now.push({
      type: 'partial',
      text: 'the person you are trying to reach is not available at the tone please record your message',
    })
    await call.run(500)
    call.detector.tell('speech-end')
    await tones(call, [1_000, 500])
    await call.until(() => call.hears(message))
  })
})

it('a menu is talked to, and the record says that it was one', async () => {
  const call = await answered(telephone({}), { replies: ['Two, please.'] })
  await call.until(() => call.isSilent())
  await call.says('for sales press one for support press two')
  await call.until(() => call.hears('Two, please.'))
  call.session.stop('api')
  await settle()
  expect(call.outcome.answeredBy).toBe('ivr')
})

it('a call that is not answered is given up after the ring time-out of the agent', async () => {
  const call = rehearse({ agent: telephone({ ring_timeout_seconds: 20 }) })
  await call.run(19_900)
  expect(call.isOver).toBe(false)
  await call.run(300)
  expect(call.outcome).toMatchObject({ status: 'no-answer', hangupReason: 'dial_no_answer' })
})

describe('digits', () => {
  const presses = { api_tools: { tools: [{ name: 'keys', key: 'send_dtmf' }] } }

  it('from the caller are one turn, in the transcript as pressed', async () => {
    const call = rehearse({ replies: ['Thank you.'] })
    await call.answer()
    for (const digit of '4711') {
      call.line.tell({ type: 'digit', digit })
      await call.run(1_500)
    }
    call.line.tell({ type: 'digit', digit: '#' })
    await call.until(() => call.hears('Thank you.'))
    expect(call.model.requests).toHaveLength(1)
    expect(call.spoken()).toEqual(['user: pressed 4711'])
  })

  it('from the agent are sent by its tool, and kept in the transcript', async () => {
    const call = rehearse({
      agent: presses,
      replies: [[wants('send_dtmf', '{"digits":"1-2 #"}')], [says('I pressed them.')]],
    })
    await call.answer()
    await call.says('press one two and pound')
    await call.until(() => call.hears('I pressed them.'))
    expect(call.line.commands).toEqual(['digits 12#'])
    expect(call.spoken()).toContain('tool: Pressed 12#.')
    expect(call.model.requests[0]?.tools.map(({ name }) => name)).toEqual(['send_dtmf'])
  })

  it.each([
    ['{"digits":"call me"}', 'tool: The digits must be keys of a telephone: 0-9, * and #.'],
    ['{"digits":5}', 'tool: Pressed 5.'],
  ])('%s: the model learns what came of it', async (given, told) => {
    const call = rehearse({ agent: presses, replies: [[wants('send_dtmf', given)], [says('So.')]] })
    await call.answer()
    await call.says('press it')
    await call.until(() => call.hears('So.'))
    expect(call.spoken()).toContain(told)
  })

  it('that the line cannot send are a failed tool, and the call goes on', async () => {
    const call = rehearse({
      agent: presses,
      replies: [[wants('send_dtmf', '{"digits":"1"}')], [says('I cannot.')]],
    })
    call.line.can = { ...call.line.can, digits: false }
    await call.answer()
    await call.says('press one')
    await call.until(() => call.hears('I cannot.'))
    expect(call.spoken()).toContain('tool: This line cannot send digits.')
  })
})
