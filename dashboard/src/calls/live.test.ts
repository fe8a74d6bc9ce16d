// The view that the events of a call add up to.
import { expect, it } from 'vitest'
import { follow, type LiveView, nothingYet } from './live.ts'

const said = (content: string, interrupted: boolean) =>
  ({ turn: 1, role: 'agent', content, start_time: 0, end_time: 1, interrupted }) as const

const play = (view: LiveView, ...rest: ((view: LiveView) => LiveView)[]) =>
  rest.reduce((at, step) => step(at), view)

it('shows what the agent had begun to say and was not played', () => {
  const view = play(
    nothingYet,
    (at) => follow(at, 'partial', { role: 'agent', text: 'We are open from nine to five.' }),
    (at) => follow(at, 'transcript', said('We are open', true)),
  )
  expect(view.entries).toEqual([
    { is: 'said', role: 'agent', text: 'We are open', cut: ' from nine to five.', interrupted: true },
  ])
  expect(view.saying.agent).toBe('')
})

it('remembers from its first event that a call is simulated', () => {
  const view = play(
    nothingYet,
    (at) => follow(at, 'status', { call_status: 'queued', sandbox: true }),
    (at) => follow(at, 'status', { call_status: 'ringing' }),
  )
  expect([view.status, view.sandbox]).toEqual(['ringing', true])
})

it('replaces a started tool by its result', () => {
  const view = play(
    nothingYet,
    (at) => follow(at, 'tool', { name: 'book', phase: 'started', detail: null }),
    (at) => follow(at, 'note', { note: 'Something happened.' }),
    (at) => follow(at, 'tool', { name: 'book', phase: 'finished', detail: 'ok' }),
    (at) => follow(at, 'tool', { name: 'book', phase: 'started', detail: null }),
  )
  expect(view.entries.map((entry) => (entry.is === 'tool' ? entry.phase : entry.is))).toEqual([
    'finished',
    'note',
    'started',
  ])
})

it('keeps no partials after the end', () => {
  const ended = {
    call_status: 'completed',
    call_terminated_by: 'user',
    hangup_reason: 'user_hangup',
  } as const
  const view = play(
    nothingYet,
    (at) => follow(at, 'partial', { role: 'user', text: 'Bye' }),
    (at) => follow(at, 'ended', { ...ended, duration: 3, analysis_follows: false }),
  )
  expect(view).toMatchObject({ status: 'completed', saying: { user: '', agent: '' } })
})
