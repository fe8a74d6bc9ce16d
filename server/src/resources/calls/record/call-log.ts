// What is kept of calls, and how long: the records, their live events, their index and their SIP messages.
import type { ExpiringLog } from '../../../platform/retention/expiring-log.ts'

// The columns that only the service needed, to run the call.
const internal = '{join_token,join_by,claimed_by,due_at,stop_asked_at,tell_at,counted}'

export const callLog = (keepDays: number): ExpiringLog => ({
  name: 'calls',
  keepDays,
  tables: [
    // Recordings are deleted first: nothing else says where they are.
    { table: 'calls', id: 'session_id', removable: 'p.finished AND p.recording IS NULL' },
    { table: 'call_events', id: 'session_id' },
    { table: 'call_index', id: 'session_id' },
    { table: 'call_signalling', id: 'session_id' },
  ],
  isNeeded: `
    EXISTS (SELECT FROM calls WHERE session_id >= $1 AND session_id < $2 AND NOT finished)
    OR EXISTS (SELECT FROM calls WHERE session_id >= $1 AND session_id < $2 AND recording IS NOT NULL)
    OR EXISTS (SELECT FROM calls_to_tell WHERE session_id >= $1 AND session_id < $2)
    OR EXISTS (SELECT FROM calls_to_analyse WHERE session_id >= $1 AND session_id < $2)`,
  alongside: [
    { table: 'call_listeners', id: 'session_id' },
    { table: 'call_drafts', id: 'session_id' },
    { table: 'call_states', id: 'session_id' },
  ],
  record: `
    jsonb_build_object(
      'call', to_jsonb(l) - '${internal}'::text[],
      'events', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('seq', e.seq, 'at', e.at, 'type', e.type, 'data', e.data)
          ORDER BY e.seq), '[]')
        FROM call_events e WHERE e.session_id = l.session_id),
      'listeners', (
        SELECT coalesce(jsonb_agg(jsonb_build_object('listener', h.listener, 'began_at', h.began_at, 'ended_at', h.ended_at)
          ORDER BY h.began_at), '[]')
        FROM call_listeners h WHERE h.session_id = l.session_id),
      'sip_messages', (SELECT s.messages FROM call_signalling s WHERE s.session_id = l.session_id))`,
})
