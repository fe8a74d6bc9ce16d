// Whole calls whose transcriber detects turns itself, ticked by hand: when the answer comes, and what it answers.
import { describe, expect, it } from 'vitest'
import { rehearse, type Scene } from '../../test/props/call/rehearsal.ts'
import type { EndOfTurn, TranscriptEvent, TurnDetection } from '../ports/transcriber.ts'

const replies = ['We have two rooms.', 'The large one is free.', 'Until noon.']

/** An answered call; undefined: its transcriber detects no turns. */
async function calling(detection: TurnDetection | undefined, scene: Scene = {}) {
  const call = rehearse({ replies, callType: 'inbound', ...scene })
  await call.answer()
  const tell = (event: TranscriptEvent) => call.ears.now.push(event)
  const partial = (text: string) => tell({ type: 'partial', text })
  const ends = (is: EndOfTurn['is']) => tell({ type: 'end-of-turn', is })
  if (detection) tell({ type: 'turn-detection', detection })
  return {
    call,
    tell,
    partial,
    ends,
    settles(text: string) {
      tell({ type: 'final', text })
      if (detection) ends('certain')
    },
    /** A voice with these words, and the silence that begins after it. */
    async says(text: string, forMs = 700) {
      call.detector.tell('speech-start')
      await call.run(forMs - 200)
      partial(text)
      await call.run(200)
      call.detector.tell('speech-end')
    },
    users: () => call.spoken().filter((entry) => entry.startsWith('user: ')),
    asked: () =>
      call.model.requests.map(
        ({ messages }) => messages.filter(({ role }) => role === 'user').at(-1)?.content,
      ),
  }
}

const eager = { isEager: true, longestSilenceMs: 5_000 }
const plain = { isEager: false, longestSilenceMs: 2_000 }

/** How long the caller has been silent when the answer is heard, if the final comes after so much silence. */
async function answerMs(detection: TurnDetection | undefined, words: string, finalMs: number) {
  const { call, says, settles } = await calling(detection)
  await says(words)
  const silentFromMs = call.nowMs
  await call.run(finalMs)
  settles(words)
  await call.until(() => call.hears('We have two rooms.'))
  return call.nowMs - silentFromMs
}

describe('in a call whose transcriber detects turns', () => {
  it('the answer comes with the end that it tells, sooner than after our own wait', async () => {
    const words = 'do you have a room for Saturday'
    const [theirs, ours] = [await answerMs(plain, words, 260), await answerMs(undefined, words, 260)]
    expect(theirs).toBeLessThan(400)
    expect(ours - theirs).toBeGreaterThanOrEqual(200)
  })

  it('and much sooner where words sound unfinished to us that are not', async () => {
    const words = 'a double room is what I was hoping for'
    const [theirs, ours] = [await answerMs(plain, words, 260), await answerMs(undefined, words, 260)]
    expect(ours - theirs).toBeGreaterThanOrEqual(1_000)
  })

  it('a pause for thought is waited through, and the whole sentence is one turn', async () => {
    const { call, says, settles, users } = await calling(plain, { task: { optimize_latency: false } })
    await says('I will arrive on')
    await call.run(1_800)
    await says('I will arrive on the ninth of June')
    await call.run(240)
    settles('I will arrive on the ninth of June.')
    await call.until(() => call.hears('We have two rooms.'))
    expect(users()).toEqual(['user: I will arrive on the ninth of June.'])
    expect(call.model.requests.length).toBe(1)
  })

  it('a probable end has the reply made, which the certain one plays', async () => {
    const { call, says, ends, settles, users } = await calling(eager)
    await says('is breakfast included')
    await call.run(100)
    expect(call.model.requests.length).toBe(0)
    ends('likely')
    await call.run(40)
    expect(call.model.requests.length).toBe(1)
    await call.run(300)
    expect(call.isSilent()).toBe(true)
    settles('is breakfast included')
    await call.until(() => call.hears('We have two rooms.'), 100)
    expect(call.model.requests.length).toBe(1)
    expect(users()).toEqual(['user: is breakfast included'])
  })

  it('a caller who goes on after a probable end is not cut off, and all is answered once', async () => {
    const { call, says, ends, settles, users, asked } = await calling(eager)
    await says('we need a cot')
    ends('likely')
    await call.run(200)
    ends('withdrawn')
    await says('we need a cot and a high chair')
    expect(call.isSilent()).toBe(true)
    ends('likely')
    await call.run(100)
    settles('we need a cot and a high chair')
    await call.until(() => call.spoken().length === 2)
    expect(asked()).toEqual(['we need a cot', 'we need a cot and a high chair'])
    expect(call.spoken()).toEqual(['user: we need a cot and a high chair', 'agent: The large one is free.'])
    expect(users().length).toBe(1)
  })

  it('an end that never comes is decided by our own longest wait, with all the words', async () => {
    const { call, says, users } = await calling(plain)
    await says('can we bring the dog')
    await call.run(2_500)
    expect(call.isSilent()).toBe(true)
    await call.until(() => call.hears('We have two rooms.'), 1_000)
    expect(users()).toEqual(['user: can we bring the dog'])
  })

  it('our own wait is back at once when an engine takes over that detects none', async () => {
    const { call, says, tell, users } = await calling(eager)
    await says('can we bring the dog')
    await call.run(600)
    tell({ type: 'turn-detection', detection: null })
    await call.until(() => call.ears.now.asked === 1, 100)
    tell({ type: 'final', text: 'can we bring the dog' })
    await call.until(() => call.hears('We have two rooms.'), 200)
    expect(users()).toEqual(['user: can we bring the dog'])
  })

  it('our own wait is back at once when its stream breaks, until the next one says that it detects turns', async () => {
    const { call, says } = await calling(eager)
    call.ears.now.fail(new Error('The recognizer is away.'))
    await call.run(40)
    expect(call.ears.streams.length).toBe(2)
    await says('can we bring the dog')
    await call.until(() => call.ears.now.asked === 1, 400)
  })

  it('an interruption is heard at once, and what it said is answered', async () => {
    const { call, says, settles, users } = await calling(plain)
    await says('which rooms are free')
    settles('which rooms are free')
    await call.until(() => call.hears('We have two rooms.'))
    await call.run(200)
    await says('no for Sunday', 300)
    expect(call.isSilent()).toBe(true)
    settles('no for Sunday')
    await call.until(() => call.hears('The large one is free.'), 1_000)
    expect(users()).toEqual(['user: which rooms are free', 'user: no for Sunday'])
  })

  it('keys that follow words are one turn with them, whose words are not answered again when they are settled', async () => {
    const { call, says, settles, users } = await calling(eager)
    await says('my booking is')
    for (const digit of '407#') call.line.tell({ type: 'digit', digit })
    await call.until(() => call.hears('We have two rooms.'))
    settles('My booking is')
    await call.run(6_000)
    call.session.stop('api')
    await call.run(20)
    expect(users()).toEqual(['user: My booking is pressed 407'])
    expect(call.model.requests.length).toBe(1)
  })

  it('the question whether it may be recorded is answered by such an end as well', async () => {
    const consent = { question: 'May we record this call?', needs_yes: true }
    const { call, says, settles } = await calling(plain, {
      agent: { agent_welcome_message: 'Hello.', api_tools: { guard_rails: { recording: 'ask', consent } } },
    })
    await call.until(() => call.isSilent())
    await says('yes of course', 400)
    settles('Yes, of course.')
    await call.until(() => call.notes().includes('The caller agreed to being recorded.'), 60)
  })

  it('a voicemail box is known by what it says, whoever detects its turns', async () => {
    const { call, says, settles } = await calling(plain, { callType: 'outbound' })
    await says('you have reached Ann please leave a message after the tone', 2_000)
    settles('You have reached Ann. Please leave a message after the tone.')
    await call.until(() => call.isOver, 100)
    expect(call.outcome).toMatchObject({ answeredBy: 'voicemail' })
    expect(call.model.requests).toEqual([])
  })
})
