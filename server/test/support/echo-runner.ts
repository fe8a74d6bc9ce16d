// Runs browser calls without engines: the audio of the browser is echoed.
import { openBrowserLine } from '../../src/carriers/browser/line.ts'
import type { BrowserLink } from '../../src/carriers/browser/link.ts'
import { openPeers } from '../../src/carriers/browser/peers.ts'
import { openTicker } from '../../src/platform/clock/ticker.ts'
import type { CallOutcome } from '../../src/ports/call.ts'
import type { Line, LineEnd } from '../../src/ports/line.ts'
import type { CallRunner } from '../../src/resources/calls/queue/runner.ts'
import { outcome } from './scripted-runner.ts'

const ends: Record<LineEnd, Partial<CallOutcome>> = {
  hangup: {},
  busy: { status: 'busy', hangupReason: 'dial_busy' },
  rejected: { status: 'busy', hangupReason: 'dial_busy' },
  unreachable: { status: 'failed', hangupReason: 'dial_failed' },
  'no-trunk': { status: 'failed', hangupReason: 'trunk_unreachable', terminatedBy: 'carrier' },
  'no-answer': { status: 'no-answer', hangupReason: 'dial_no_answer', terminatedBy: 'system' },
  failed: { status: 'failed', hangupReason: 'telephony_error', terminatedBy: 'carrier' },
}

const silentLog = { info() {}, warn() {} }

export function echoRunner(capacity = 10): CallRunner {
  const ticker = openTicker()
  const peers = openPeers(silentLog as never)
  return {
    capacity,
    run(order, on, arrival) {
      const { promise, resolve } = Promise.withResolvers<CallOutcome>()
      if (!arrival) throw new Error('nobody is on the line')
      const line: Line = openBrowserLine(
        arrival.handover.payload as BrowserLink,
        order.sessionId,
        {
          onEvent(event) {
            if (event.type === 'answered') on({ type: 'status', status: 'in-progress' })
            if (event.type === 'text') on({ type: 'note', note: `typed: ${event.text}` })
            if (event.type === 'ended') resolve({ ...outcome, ...ends[event.cause] })
          },
          onFrame: (frame) => line.send(frame),
        },
        { peers, ticker },
      )
      line.pickUp?.()
      return {
        outcome: promise,
        stop() {
          line.hangUp()
          resolve({ ...outcome, terminatedBy: 'api', hangupReason: 'api_stopped' })
        },
      }
    },
    async close() {
      peers.close()
      await ticker.close()
    },
  }
}
