// Which vendors are offered.
import { expect, it } from 'vitest'
import { vendorsHere } from './engines.ts'

const vendor = (name: string, more: object = {}) => ({
  agent_names: [name],
  uses: ['synthesizer' as const],
  source: 'workspace' as const,
  last_check: null,
  ...more,
})

it('are those with credentials, first; the others say why not', () => {
  const refused = {
    ok: false,
    http_status: 401,
    message: 'Refused: 401.',
    checked_at: '2026-01-01T00:00:00Z',
  }
  const here = vendorsHere('synthesizer', [
    vendor('rime'),
    vendor('cartesia', { source: 'none' }),
    vendor('deepgram', { last_check: refused }),
    vendor('openai', { uses: ['transcriber'] }),
  ])
  const why = Object.fromEntries(here.map(({ name, why }) => [name, why]))
  expect(here[0]).toEqual({ name: 'rime', label: 'Rime', why: undefined })
  expect(why.cartesia).toBe('There is no key for Cartesia here.')
  expect(why.deepgram).toBe('Refused: 401.')
  expect(why.openai).toBe('OpenAI is not served by this version.')
})
