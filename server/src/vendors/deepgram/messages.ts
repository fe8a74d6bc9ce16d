// What Nova and Flux have in common on the wire.
import { z } from 'zod'
import type { TranscriptEvent } from '../../ports/transcriber.ts'
import type { SttMessage } from '../over/hears/over-socket.ts'

export const FailureMessage = z.object({
  type: z.enum(['Error', 'FatalError']),
  description: z.string().optional(),
  message: z.string().optional(),
})

export const OtherMessage = z.object({
  type: z.enum([
    'Metadata',
    'SpeechStarted',
    'UtteranceEnd',
    'Connected',
    'ConfigureSuccess',
    'ConfigureFailure',
  ]),
})

export const bye = '{"type":"CloseStream"}'

export const finalOf = (
  text: string,
  confidence: number | undefined,
): TranscriptEvent & { readonly type: 'final' } => ({
  type: 'final',
  text,
  ...(confidence !== undefined && { confidence }),
})

export const failed = ({ description, message }: z.infer<typeof FailureMessage>): SttMessage => ({
  type: 'failed',
  reason: description ?? message ?? 'no reason was given',
})
