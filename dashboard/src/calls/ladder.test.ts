// What a ladder shows of SIP messages.
import { expect, it } from 'vitest'
import { ladderOf } from './ladder.ts'

const message = (direction: 'in' | 'out', atMs: number, ...lines: string[]) => ({
  direction,
  at: new Date(Date.UTC(2026, 0, 1) + atMs).toISOString(),
  transport: 'udp' as const,
  peer: '192.0.2.1:5060',
  text: lines.join('\r\n'),
})

it('names requests by their method and answers by their status, with times from the first', () => {
  const invite = [
    'INVITE sip:+15550100@example.com SIP/2.0',
    'CSeq: 1 INVITE',
    '',
    'v=0',
    'm=audio 4000 RTP/AVP 0',
  ]
  const rungs = ladderOf([
    message('out', 0, ...invite),
    message('out', 500, ...invite),
    message('in', 520, 'SIP/2.0 180 Ringing', 'cseq:1 INVITE', ''),
    message('in', 3000, 'SIP/2.0 486 Busy Here', 'CSeq: 1 INVITE', ''),
  ])
  expect(rungs.map(({ first, more, kind, atMs, again }) => [first, more, kind, atMs, again])).toEqual([
    ['INVITE', '(SDP)', 'request', 0, false],
    ['INVITE', '(SDP)', 'request', 500, true],
    ['180 Ringing', 'INVITE', 'trying', 520, false],
    ['486 Busy Here', 'INVITE', 'refusal', 3000, false],
  ])
})
