// Labels for calls: their states, kinds, ends and lengths.
import type { CallDirection, CallStatus, CallSummary, HangupReason } from '@parley/contract'
import { Badge, type Tone } from '../ui/words/badge.tsx'

export const statusWords: Record<CallStatus, string> = {
  scheduled: 'Scheduled',
  queued: 'Waiting',
  initiated: 'Dialling',
  ringing: 'Ringing',
  'in-progress': 'In progress',
  completed: 'Completed',
  busy: 'Busy',
  'no-answer': 'No answer',
  failed: 'Failed',
  canceled: 'Cancelled',
}

const tones: Record<CallStatus, Tone> = {
  scheduled: 'off',
  queued: 'off',
  initiated: 'accent',
  ringing: 'accent',
  'in-progress': 'accent',
  completed: 'good',
  busy: 'off',
  'no-answer': 'off',
  failed: 'bad',
  canceled: 'off',
}

export const typeWords: Record<CallDirection, string> = {
  outbound: 'Outgoing',
  inbound: 'Incoming',
  web: 'In a browser',
}

export const reasonWords: Record<HangupReason, string> = {
  user_hangup: 'The caller hung up',
  agent_hangup: 'The agent hung up',
  end_call_tool: 'The agent ended the call',
  inactivity_timeout: 'Nobody spoke any more',
  max_duration_reached: 'Longest duration reached',
  voicemail_detected: 'Voicemail',
  transfer_completed: 'Transferred',
  dial_busy: 'The line was busy',
  dial_no_answer: 'Nobody answered',
  dial_failed: 'The call did not go through',
  trunk_unreachable: 'The trunk did not answer',
  api_stopped: 'Stopped by a person or the API',
  llm_error: 'The language model failed',
  stt_error: 'The transcriber failed',
  tts_error: 'The voice failed',
  telephony_error: 'The line failed',
  worker_lost: 'The service was interrupted',
}

export const answererWords: Record<string, string> = {
  human: 'A person',
  voicemail: 'Voicemail',
  ivr: 'A menu',
  screening: 'A screening service',
  unavailable: 'An announcement',
  unknown: 'Not known',
}

export const moodWords: Record<string, string> = {
  positive: 'Positive',
  neutral: 'Neutral',
  negative: 'Negative',
}

// A caller who hangs up earlier than this has said nothing meaningful.
const earlySeconds = 3

type CallOutcome = Pick<CallSummary, 'call_status' | 'duration' | 'call_terminated_by'>

export function CallBadge({ call_status, duration, call_terminated_by }: CallOutcome) {
  const early =
    call_status === 'completed' && call_terminated_by === 'user' && (duration ?? earlySeconds) < earlySeconds
  return (
    <Badge tone={early ? 'wait' : tones[call_status]} dot={isRunning(call_status)}>
      {early ? 'Hung up at once' : statusWords[call_status]}
    </Badge>
  )
}

const running: readonly CallStatus[] = ['initiated', 'ringing', 'in-progress']
const isRunning = (status: CallStatus): boolean => running.includes(status)
export const isOver = (status: CallStatus): boolean =>
  !isRunning(status) && status !== 'queued' && status !== 'scheduled'

/** A length such as 8 s, 1:05 or 1:02:05. */
export function lengthWords(seconds: number | null): string {
  if (seconds === null) return '—'
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  const [hours, minutes, rest] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60]
  const padded = (part: number) => String(part).padStart(2, '0')
  return hours > 0 ? `${hours}:${padded(minutes)}:${padded(rest)}` : `${minutes}:${padded(rest)}`
}

/** Whom the call is with. */
/** Why a call sounded badly that the network is not to blame for. */
export const lateSoundWords = (frames: number): string =>
  `The machine was overloaded: ${frames.toLocaleString('en')} frames of sound were late.`

export const otherSide = ({
  call_type,
  to_phone_number,
  from_phone_number,
}: Pick<CallSummary, 'call_type' | 'to_phone_number' | 'from_phone_number'>): string =>
  (call_type === 'inbound' ? from_phone_number : to_phone_number) ??
  (call_type === 'web' ? 'Somebody in a browser' : 'Number withheld')
