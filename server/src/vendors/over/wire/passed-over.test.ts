// Which messages are new to us, which are broken, and what is told of both.
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import {
  hasAnyField,
  onPassedOver,
  PassedOver,
  type PassedOverMessage,
  readVendorMessage,
  UnknownMessage,
} from './passed-over.ts'

const Typed = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('words'), text: z.string(), mood: z.enum(['calm', 'cross']).optional() }),
  z.object({ kind: z.literal('over') }),
])
const Listed = z.object({ event: z.enum(['begin', 'end']), at: z.number() })
const Untyped = z.object({ words: z.string().optional(), fault: z.string().optional() }).refine(hasAnyField)

const readingOf = (schema: z.ZodType, raw: unknown): string => {
  try {
    readVendorMessage(schema, raw)
    return 'known'
  } catch (error) {
    return error instanceof UnknownMessage ? `unknown: ${error.messageType}` : 'unreadable'
  }
}

it.each<[schema: z.ZodType, raw: unknown, reading: string]>([
  [Typed, { kind: 'words', text: 'yes' }, 'known'],
  [Typed, { kind: 'over', since: 'version 9' }, 'known'],
  [Typed, { kind: 'weather', text: 'rain' }, 'unknown: weather'],
  [Typed, { kind: 'words', text: 'yes', mood: 'bored' }, 'unknown: bored'],
  [Typed, { kind: 'words', text: 7 }, 'unreadable'],
  [Typed, { text: 'yes' }, 'unreadable'],
  [Typed, 'words', 'unreadable'],
  [Typed, null, 'unreadable'],
  [Listed, { event: 'pause', at: 1 }, 'unknown: pause'],
  [Listed, { event: 'pause' }, 'unknown: pause'],
  [Listed, { event: 'end', at: '1' }, 'unreadable'],
  [Untyped, { words: 'yes' }, 'known'],
  [Untyped, { type: 'tick', count: 1 }, 'unknown: tick'],
  [Untyped, { tick: 1, tock: 2 }, 'unknown: tick tock'],
  [Untyped, { words: 7 }, 'unreadable'],
  [Listed, { event: 'x'.repeat(500), at: 1 }, `unknown: ${'x'.repeat(60)}`],
])('%# a message is as its type and its fields have it', (schema, raw, reading) => {
  expect(readingOf(schema, raw)).toBe(reading)
})

const cleanups: (() => void)[] = []
afterEach(() => {
  for (const clean of cleanups.splice(0)) clean()
})

it('every one is told, and of each stream which types are new to it', () => {
  const told: PassedOverMessage[] = []
  const listening = onPassedOver((message) => told.push(message))
  cleanups.push(() => listening.stop())
  const stream = new PassedOver('Acme', 'transcriber')
  stream.unknown('weather')
  stream.unknown('weather')
  stream.unreadable()
  new PassedOver('Acme', 'synthesizer').unknown('weather')
  expect(
    told.map(({ service, reason, messageType, isFirst }) => [service, reason, messageType, isFirst]),
  ).toEqual([
    ['transcriber', 'unknown', 'weather', true],
    ['transcriber', 'unknown', 'weather', false],
    ['transcriber', 'unreadable', '', true],
    ['synthesizer', 'unknown', 'weather', true],
  ])
  listening.stop()
  stream.unknown('tide')
  expect(told.length).toBe(4)
})
