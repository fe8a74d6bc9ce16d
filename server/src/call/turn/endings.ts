// Every way a call can end: one row each, and nowhere else.
import type { EndStatus, HangupReason, TerminatedBy } from '../../ports/call.ts'
import type { LineEnd } from '../../ports/line.ts'

export interface Ending {
  readonly status: EndStatus
  readonly by: TerminatedBy
  readonly reason: HangupReason
  /** One sentence, when something went wrong. */
  readonly error: string | null
}

const row = (
  status: EndStatus,
  by: TerminatedBy,
  reason: HangupReason,
  error: string | null = null,
): Ending => ({ status, by, reason, error })

export const endings = {
  silence: row('completed', 'system', 'inactivity_timeout'),
  duration: row('completed', 'system', 'max_duration_reached'),
  machine: row('completed', 'system', 'voicemail_detected'),
  messageLeft: row('completed', 'agent', 'voicemail_detected'),
  /** Announced by the network, in words or by its tones. */
  outOfService: row(
    'failed',
    'carrier',
    'dial_failed',
    'The network announced that the number is not in service.',
  ),
  notReachable: row(
    'no-answer',
    'carrier',
    'dial_no_answer',
    'The network announced that nobody can be reached at this number now.',
  ),
  endCallTool: row('completed', 'agent', 'end_call_tool'),
  conversationOver: row('completed', 'agent', 'agent_hangup'),
  transferred: row('completed', 'transfer', 'transfer_completed'),
  nobodyAnswered: row('no-answer', 'carrier', 'dial_no_answer'),
  trunkUnreachable: (error: string | null) =>
    row('failed', 'carrier', 'trunk_unreachable', error ?? 'The trunk did not answer, so nobody was called.'),
  model: (error: string) => row('failed', 'system', 'llm_error', error),
  recognition: (error: string) => row('failed', 'system', 'stt_error', error),
  voice: (error: string) => row('failed', 'system', 'tts_error', error),
  /** A bug of ours. */
  broken: (error: string) => row('failed', 'system', 'worker_lost', error),
}

/** The ending that the line caused: the other side, or the network between. */
export function lineEnding(cause: LineEnd, answered: boolean, error: string | null): Ending {
  if (answered)
    return cause === 'failed'
      ? row('failed', 'carrier', 'telephony_error', error ?? 'The line broke.')
      : row('completed', 'user', 'user_hangup')
  switch (cause) {
    case 'busy':
      return row('busy', 'carrier', 'dial_busy')
    case 'rejected':
      return row('busy', 'carrier', 'dial_busy', error ?? 'The call was rejected.')
    case 'no-answer':
      return endings.nobodyAnswered
    case 'no-trunk':
      return endings.trunkUnreachable(error)
    case 'unreachable':
      return row(
        'failed',
        'carrier',
        'dial_failed',
        error ?? 'The number does not exist, or cannot be reached.',
      )
    case 'failed':
      return row('failed', 'carrier', 'dial_failed', error ?? 'The call could not be placed.')
    case 'hangup':
      return row('canceled', 'user', 'user_hangup')
  }
}

export function stopEnding(why: 'api' | 'draining', answered: boolean): Ending {
  if (why === 'draining') return row('failed', 'system', 'worker_lost', 'The worker was shut down.')
  return row(answered ? 'completed' : 'canceled', 'api', 'api_stopped')
}
