// Plays what people would hear first, in the agent's own voice: a call to this browser that ends with the greeting.
// The call is a real one, so that the vendor, the dictionary and the reading of figures are those of every call.
import type { dashboard } from '@parley/contract'
import { api } from '../api.ts'
import { Line } from './line.ts'

export type GreetingState =
  | { readonly is: 'silent'; readonly error?: Error | undefined }
  | { readonly is: 'connecting' }
  | { readonly is: 'heard' }

const unheard = 'The agent could not say it. The record of this test, under Calls, says why.'
// The end of the greeting is still on its way to the loudspeaker when its transcript arrives.
const lastSoundMs = 500

/**
 * Starts the call and returns a function that ends it. Call it on a click: browsers play no sound otherwise. `place` asks the
 * server for the call.
 */
export function hearGreeting(
  workspaceId: string,
  place: () => Promise<dashboard.DraftCall>,
  onChange: (greeting: GreetingState) => void,
): () => void {
  let line: Line | undefined
  let events: EventSource | undefined
  let isOver = false
  const end = (error?: Error) => {
    if (isOver) return
    isOver = true
    line?.hangUp()
    events?.close()
    onChange({ is: 'silent', error })
  }
  const begin = async () => {
    const { session_id, join } = await place()
    // The user has stopped it meanwhile.
    if (isOver || !join) return
    events = api.watchCall(workspaceId, session_id)
    events.addEventListener('transcript', ({ data }: MessageEvent<string>) => {
      if (JSON.parse(data).role === 'agent') setTimeout(end, lastSoundMs)
    })
    events.addEventListener('ended', ({ data }: MessageEvent<string>) => {
      if (JSON.parse(data).call_status === 'failed') end(new Error(unheard))
    })
    line = new Line(join, undefined, {
      onWay: () => onChange({ is: 'heard' }),
      onEnd: (fault) => end(fault === undefined ? undefined : new Error(fault)),
    })
  }
  onChange({ is: 'connecting' })
  begin().catch(end)
  return () => end()
}
