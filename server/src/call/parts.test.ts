// The small parts of a call: what was heard of a sentence, the frames queued between ticks, the conversation.
import { describe, expect, it } from 'vitest'
import { makeFrame } from '../media/frame.ts'
import { CallerQueue } from './listen/caller-queue.ts'
import { heardOf } from './speak/saying.ts'
import { Conversation } from './think/conversation.ts'

describe('what was heard of a piece', () => {
  const text = 'one two three four'
  it.each([
    ['nothing before its first frame', { frames: 90, played: 0, made: true }, ''],
    ['no word before half of it', { frames: 90, played: 6, made: true }, ''],
    ['a word that was cut off in its second half', { frames: 90, played: 10, made: true }, 'one'],
    ['the words before one that had hardly begun', { frames: 90, played: 45, made: true }, 'one two'],
    ['all of it at its end', { frames: 90, played: 90, made: true }, text],
    ['less when more audio is still to come', { frames: 20, played: 20, made: false }, 'one two'],
  ])('%s', (_, piece, heard) => expect(heardOf({ text, ...piece })).toBe(heard))
})

describe('frames between two ticks', () => {
  const frame = (sample: number) => {
    const made = makeFrame(8_000)
    made.samples.fill(sample)
    return made
  }
  const first = (queue: CallerQueue) => queue.take().samples[0]

  it('come out in order, followed by silence', () => {
    const queue = new CallerQueue(8_000)
    for (const sample of [1, 2]) queue.push(frame(sample))
    expect([first(queue), first(queue), first(queue)]).toEqual([1, 2, 0])
  })

  it('are dropped, oldest first, when too many wait', () => {
    const queue = new CallerQueue(8_000)
    for (const sample of [1, 2, 3, 4, 5, 6, 7]) queue.push(frame(sample))
    expect(Array.from({ length: 6 }, () => first(queue))).toEqual([3, 4, 5, 6, 7, 0])
  })

  it('are lent: the next write does not overwrite the frame in use', () => {
    const queue = new CallerQueue(8_000)
    queue.push(frame(1))
    const held = queue.take()
    for (const sample of [2, 3, 4, 5, 6]) queue.push(frame(sample))
    expect(held.samples[0]).toBe(1)
  })

  it('do not wait indefinitely behind a surplus frame', () => {
    const queue = new CallerQueue(8_000)
    queue.push(frame(1))
    for (let n = 2; n < 100; n++) {
      queue.push(frame(n))
      queue.take()
    }
    queue.push(frame(100))
    expect(first(queue)).toBe(100)
  })
})

describe('a conversation', () => {
  const span = { startMs: 1_000, endMs: 2_000 }

  it('corrects the caller’s last words, and nothing else', () => {
    const conversation = new Conversation(() => {})
    conversation.callerSaid('hello', span)
    conversation.callerSaid('I won', span)
    conversation.agentSaid('One moment.', span, { interrupted: false })
    conversation.callerMeant('I want a table.')
    expect(conversation.entries.map(({ content }) => content)).toEqual([
      'hello',
      'I want a table.',
      'One moment.',
    ])
  })

  it('shows the model two consecutive caller turns as one message', () => {
    const conversation = new Conversation(() => {})
    conversation.callerSaid('I want', span)
    conversation.callerSaid('a table', span)
    expect(conversation.messages('for two')).toEqual([{ role: 'user', content: 'I want a table for two' }])
  })

  it('shows the model only its newest part when it is very long', () => {
    const conversation = new Conversation(() => {})
    for (let n = 0; n < 2_000; n++)
      conversation.agentSaid(`${n} ${'word '.repeat(10)}`, span, { interrupted: false })
    const messages = conversation.messages()
    expect(messages.length).toBeLessThan(700)
    expect(messages.at(-1)?.content).toMatch(/^1999 /)
  })

  it('is kept in order of beginning, in seconds from the answer', () => {
    const conversation = new Conversation(() => {})
    conversation.begin(1_000)
    conversation.callerSaid('hello', { startMs: 3_000, endMs: 4_000 })
    conversation.agentSaid('Welcome', { startMs: 1_020, endMs: 2_500 }, { interrupted: true })
    expect(conversation.entries).toMatchObject([
      { role: 'agent', startSeconds: 0.02, endSeconds: 1.5, interrupted: true },
      { role: 'user', startSeconds: 2, endSeconds: 3, turn: 1 },
    ])
  })

  it('keeps unparseable arguments as written', () => {
    const conversation = new Conversation(() => {})
    conversation.toolAnswered({ id: '1', name: 'book', arguments: '{broken' }, 'done', span)
    expect(conversation.entries[0]?.tool).toEqual({ name: 'book', arguments: '{broken' })
  })
})
