// Personal data in what a call reports and records, and the caller's consent to being recorded.
import { describe, expect, it } from 'vitest'
import { MemoryRecording, rehearse } from '../../../test/props/call/rehearsal.ts'
import { ScriptedTools, wants } from '../../../test/props/call/scripted-model.ts'
import { type Frame, makeFrame } from '../../media/frame.ts'
import type { TranscriptEntry } from '../../ports/call.ts'
import type { HeardWord } from '../../ports/transcriber.ts'
import { type ConsentAnswer, consentIn } from '../turn/consent.ts'
import type { TurnLanguageCode } from '../turn/languages/index.ts'
import { findInConversation } from './find-in-conversation.ts'
import { MaskedRecording } from './masked-recording.ts'

const rails = (guard_rails: object) => ({ api_tools: { guard_rails } })
const everything = (call: ReturnType<typeof rehearse>) => JSON.stringify([call.updates, call.outcome])

describe('a call that masks', () => {
  it('reports no digit of a card, however it is said, and gives it to the model', async () => {
    const call = rehearse({
      agent: { agent_welcome_message: 'What is your card number?', ...rails({ mask: ['card_number'] }) },
      replies: ['I heard 4242 4242 4242 4242. Is there anything else?', 'Bye.'],
    })
    await call.answer()
    await call.until(() => call.isSilent())
    await call.says('four two four two four two four two four two four two four two four two', 4_000)
    await call.until(() => call.spoken().length >= 3)
    call.session.stop('api')
    await call.until(() => call.isOver)
    expect(JSON.stringify(call.model.requests)).toContain('four two four two')
    expect(everything(call)).not.toMatch(/four two|4242/)
    expect(call.spoken().slice(1)).toEqual([
      'user: [card number]',
      'agent: I heard [card number]. Is there anything else?',
    ])
  })

  const card = 'It is 4242 4242 4242 4242 and thank you for asking'
  const recorded = async (times?: (beganMs: number) => readonly HeardWord[]) => {
    // The caller's line is silent, so that only the tone is heard in it.
    const beeps: boolean[] = []
    const memory = new MemoryRecording()
    memory.write = (caller) => void beeps.push(caller.samples.some((sample) => sample !== 0))
    const call = rehearse({
      agent: { agent_welcome_message: 'What is your card number?', ...rails({ mask: ['card_number'] }) },
      replies: ['Certainly.'],
      parts: { recording: () => memory },
    })
    await call.answer()
    await call.until(() => call.isSilent())
    const before = call.ears.now.frames
    await call.says(card, 5_000, times)
    await call.until(() => call.hears('Certainly.'))
    call.session.stop('api')
    await call.until(() => call.isOver)
    const inHalf = (half: number) => beeps.slice(before + half * 25, before + (half + 1) * 25)
    return Array.from({ length: 10 }, (_, half) => inHalf(half).filter(Boolean).length > 12)
  }

  it('covers the words of a card number in the recording, and leaves the words around them', async () => {
    const heard = await recorded((beganMs) =>
      card.split(' ').map((text, place) => ({
        text,
        startMs: beganMs + place * 500,
        endMs: beganMs + place * 500 + 450,
      })),
    )
    expect(heard).toEqual([false, false, true, true, true, true, false, false, false, false])
  })

  it.each([
    ['says nothing of times', undefined],
    ['leaves out a word', (beganMs: number) => [{ text: 'asking', startMs: beganMs, endMs: beganMs + 400 }]],
  ])('covers all that the caller said if the transcriber %s', async (_, times) => {
    expect(await recorded(times)).toEqual(Array(10).fill(true))
  })

  it('recognises a number that is said in several goes', () => {
    const said = (role: 'agent' | 'user', content: string) => ({ role, content }) as TranscriptEntry
    const found = findInConversation(
      [
        said('user', 'it is four two four two'),
        said('agent', 'Yes?'),
        said('user', 'four two four two'),
        said('user', 'and four two four two four two four two'),
        said('user', 'that is all, at number seven'),
      ],
      ['card_number'],
    )
    expect(found.map((of) => of.map(({ kind }) => kind))).toEqual([
      ['card_number'],
      [],
      ['card_number'],
      ['card_number'],
      [],
    ])
  })

  it('masks what tools are given and what they answer', async () => {
    const call = rehearse({
      agent: rails({ mask: 'all' }),
      tools: new ScriptedTools('look'),
      replies: [[wants('look', '{"email":"ada@example.org"}')], 'Done.'],
    })
    await call.answer()
    await call.says('Please look it up')
    await call.until(() => call.spoken().some((line) => line === 'agent: Done.'))
    call.session.stop('api')
    await call.until(() => call.isOver)
    expect(JSON.stringify(call.tools.ran)).toContain('ada@example.org')
    expect(everything(call)).not.toContain('ada@')
  })
})

describe('a masked recording', () => {
  const frameOf = (value: number): Frame => {
    const frame = makeFrame(8_000)
    frame.samples.fill(value)
    return frame
  }

  it('has a tone on the side that spoke, for as long as it did, and nothing else changes', async () => {
    const memory = new MemoryRecording()
    const recording = new MaskedRecording(memory, 8_000)
    for (let n = 0; n < 100; n++) recording.write(frameOf(1_000 + n), frameOf(2_000 + n))
    recording.mask({ side: 'caller', fromMs: 400, toMs: 800 })
    await recording.close()
    expect(memory.agent).toEqual(Array.from({ length: 100 }, (_, n) => 2_000 + n))
    expect(memory.caller.map((value, n) => value === 1_000 + n)).toEqual(
      Array.from({ length: 100 }, (_, n) => n < 20 || n >= 40),
    )
  })

  it('keeps in memory what is not judged yet', async () => {
    const memory = new MemoryRecording()
    const recording = new MaskedRecording(memory, 8_000, 1_000)
    for (let n = 0; n < 60; n++) recording.write(frameOf(n), frameOf(n))
    expect(memory.caller).toHaveLength(10)
    await recording.close()
    expect(memory.caller).toHaveLength(60)
  })

  it('is not kept if something was recognised too late', async () => {
    const memory = new MemoryRecording()
    const recording = new MaskedRecording(memory, 8_000, 1_000)
    for (let n = 0; n < 200; n++) recording.write(frameOf(n), frameOf(n))
    recording.mask({ side: 'caller', fromMs: 100, toMs: 300 })
    await expect(recording.close()).rejects.toThrow('too late')
    expect([memory.discarded, memory.closed]).toEqual([1, 0])
  })
})

describe('consent', () => {
  it.each<[string, ConsentAnswer, TurnLanguageCode?]>([
    ['Yes.', 'yes'],
    ['Sure, go ahead', 'yes'],
    ["I don't mind", 'yes'],
    ['No problem', 'yes'],
    ['Ja, gerne', 'yes', 'de'],
    ['No.', 'no'],
    ["I'd rather not", 'no'],
    ['please do not record me', 'no'],
    ['Nein danke', 'no', 'de'],
    ['I want to book a table', 'unclear'],
  ])('%j is %s', (words, answer, language = 'en') => {
    expect(consentIn(words, language)).toBe(answer)
  })

  const asked = { question: 'May I record this?', refused: 'Then I will not.' }
  const begun = async (consent: object = asked) => {
    const call = rehearse({
      agent: { agent_welcome_message: 'How can I help?', ...rails({ recording: 'ask', consent }) },
      replies: ['Certainly.'],
      callType: 'inbound',
    })
    await call.answer()
    await call.until(() => call.hears('May I record this?'))
    expect(call.recording.agent.every((sample) => sample === 0)).toBe(true)
    await call.until(() => call.isSilent())
    return call
  }
  const ended = async (call: ReturnType<typeof rehearse>) => {
    call.session.stop('api')
    await call.until(() => call.isOver)
    return call.outcome
  }

  it('records from the answer on, and the answer is not the model’s', async () => {
    const call = await begun()
    await call.says('Yes, fine')
    await call.until(() => call.hears('How can I help?'))
    await call.until(() => call.isSilent())
    expect(call.model.requests).toHaveLength(0)
    expect(call.recording.agent.some((sample) => sample !== 0)).toBe(true)
    expect(call.notes()).toContain('The caller agreed to being recorded.')
    expect((await ended(call)).recorded).toBe(true)
  })

  it('whoever says no is told so and is not recorded', async () => {
    const call = await begun()
    await call.says('No, I do not want that')
    await call.until(() => call.hears('Then I will not.'))
    await call.until(() => call.isSilent())
    expect(call.recording).toMatchObject({ discarded: 1, agent: [] })
    expect(call.notes().join()).toContain('did not agree')
    expect((await ended(call)).recorded).toBe(false)
  })

  it('whoever says nothing is recorded, unless a yes is needed', async () => {
    const call = await begun()
    await call.until(() => call.hears('How can I help?'))
    expect((await ended(call)).recorded).toBe(true)
    const strict = await begun({ ...asked, needs_yes: true })
    await strict.until(() => strict.hears('Then I will not.'))
    expect((await ended(strict)).recorded).toBe(false)
  })

  it('can be withdrawn', async () => {
    const call = await begun()
    await call.says('Yes')
    await call.until(() => call.hears('How can I help?'))
    await call.until(() => call.isSilent())
    await call.says('Please stop recording now')
    await call.until(() => call.hears('Certainly.'))
    expect((await ended(call)).recorded).toBe(false)
    expect(call.recording.discarded).toBe(1)
  })

  it('a call that ends before the answer has no recording', async () => {
    const call = await begun({ ...asked, needs_yes: true })
    expect((await ended(call)).recorded).toBe(false)
  })
})
