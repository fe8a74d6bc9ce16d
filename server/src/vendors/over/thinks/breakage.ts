// Transport failures before or during a language model's answer, in one sentence.
import { ConnectError, codeOf, describeSocketError } from '../../../platform/guard/connect-error.ts'
import { ModelError } from './model-error.ts'
import type { FinishReason } from './protocol.ts'

/** From an error that undici or the guard threw. */
export function broken(who: string, error: unknown): ModelError {
  if (error instanceof ModelError) return error
  const told = (kind: ModelError['kind'], what: string) =>
    new ModelError(kind, `${who} ${what}`, { cause: error })
  const code = codeOf(error)
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code))
    return told('gone', 'broke the connection off')
  if (/^(HPE|UND_ERR_(?!CONNECT))/.test(code)) return told('garbled', `does not answer in HTTP (${code})`)
  const reason = error instanceof ConnectError ? error : describeSocketError(error)
  return told(reason.kind === 'refused' ? 'refused' : 'gone', `cannot be reached: ${reason.message}`)
}

/** From an answer that ended too early. */
export function unfinished(who: string, finishReason: FinishReason | undefined, spoken: boolean): ModelError {
  if (finishReason === 'length') {
    return new ModelError('refused', `${who} used up max_tokens before it said anything`)
  }
  if (finishReason === 'content_filter') {
    return new ModelError('refused', `${who} held its answer back (content_filter)`)
  }
  if (finishReason) return new ModelError('garbled', `${who} answered nothing`)
  if (spoken) return new ModelError('gone', `${who} broke off in the middle of its answer`)
  return new ModelError('garbled', `${who} did not answer with an event stream`)
}
