import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, it } from 'vitest'
import { nothingYet } from '../calls/calls.ts'
import type { CallStage } from './browser-call.ts'
import { StatusLine } from './status-line.tsx'

const shown = (stage: CallStage, status: typeof nothingYet.status) => {
  const view = { stage, live: { ...nothingYet, status }, sessionId: 's', error: undefined, warnings: [] }
  return renderToStaticMarkup(createElement(StatusLine, { view })).replace(/<[^>]*>/g, ' ')
}
const live: CallStage = { is: 'live', way: 'webrtc', muted: false }

it.each([
  [{ is: 'connecting' } as const, 'queued' as const, /Connecting +One moment\./],
  [live, 'initiated' as const, /Getting ready +The agent speaks in a moment\./],
  [live, 'in-progress' as const, /Listening +over WebRTC/],
])('a call in stage %j with status %s says %s', (stage, status, words) => {
  expect(shown(stage, status)).toMatch(words)
})
