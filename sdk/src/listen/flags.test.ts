// The flags of `parley listen`.
import { describe, expect, it } from 'vitest'
import { type ListenFlags, readListenFlags } from './flags.ts'

const flags = (change: Partial<ListenFlags> = {}): ListenFlags => ({
  secret: ['whsec_x'],
  port: '4000',
  host: '127.0.0.1',
  ...change,
})

it('by default answers at once by the verification, and shows a line of text', () => {
  expect(readListenFlags(flags())).toEqual({
    secret: ['whsec_x'],
    host: '127.0.0.1',
    port: 4000,
    delayMs: 0,
    show: 'text',
    full: false,
  })
})

it('fails, waits and shows as the flags say', () => {
  const told = flags({ fail: '503', delay: '250ms', json: true, full: true })
  expect(readListenFlags(told)).toMatchObject({ failStatus: 503, delayMs: 250, show: 'json', full: true })
})

it.each([
  ['3s', 3000],
  ['0.5s', 500],
  ['0ms', 0],
  ['60s', 60_000],
])('waits %s for %i milliseconds', (delay, delayMs) => {
  expect(readListenFlags(flags({ delay }))).toMatchObject({ delayMs })
})

describe('says what is wrong with', () => {
  it.each<[keyof ListenFlags, string[]]>([
    ['port', ['', '-1', '65536', '4000x', '0x10', '1.5', 'http']],
    ['fail', ['', '200', '299', '600', 'yes']],
    ['delay', ['', '3', '3m', '-1s', '61s', 's', '1e3ms', 'soon']],
  ])('--%s', (flag, texts) => {
    for (const text of texts) {
      expect(() => readListenFlags(flags({ [flag]: text }))).toThrow(`--${flag}: `)
    }
  })

  it.each([[['x']], [['whsec_']], [['whsec_x', '']]])('the secrets %j', (secret) => {
    expect(() => readListenFlags(flags({ secret }))).toThrow('begins with whsec_')
  })
})
