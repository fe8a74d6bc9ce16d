// A transcript as a text that is easy to read.
import type { CallDetail, TranscriptLine } from '@parley/contract'

type SpokenCall = Pick<CallDetail, 'call_status' | 'hangup_reason' | 'transcript'>

export function transcriptText({ call_status, hangup_reason, transcript }: SpokenCall): string {
  const lines = (Array.isArray(transcript) ? transcript : []) as readonly TranscriptLine[]
  const end = hangup_reason ? `${call_status}, ${hangup_reason}` : call_status
  return [...lines.map(lineText), `(${lines.length === 0 ? 'nothing was said; ' : ''}${end})`].join('\n')
}

function lineText({ role, content, start_time, interrupted, tool }: TranscriptLine): string {
  const at = `${Math.floor(start_time / 60)}:${String(Math.floor(start_time % 60)).padStart(2, '0')}`
  if (tool) return `${at} tool ${tool.name}(${JSON.stringify(tool.arguments)}): ${content}`
  return `${at} ${role === 'user' ? 'caller' : role}: ${content}${interrupted ? ' (interrupted)' : ''}`
}
