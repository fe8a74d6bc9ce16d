// A call of the real engine with vendors over real sockets, ticked by hand, a little slower than they answer.
import { setTimeout as wait } from 'node:timers/promises'
import type { CallParts } from '../../../src/call/session.ts'
import { rehearse, type Scene } from '../call/rehearsal.ts'
import { heardWords } from './spoken-words.ts'

export interface VendorCallScene extends Pick<Scene, 'replies' | 'agent' | 'task'> {
  readonly parts: Pick<Partial<CallParts>, 'transcriber' | 'synthesizer' | 'voice' | 'engines'>
}

export function vendorCall({ replies = [], agent = {}, task, parts }: VendorCallScene) {
  const call = rehearse({
    agent: { agent_welcome_message: '', ...agent },
    task: { optimize_latency: false, check_if_user_online: false, hangup_after_silence: 0, ...task },
    replies,
    parts,
  })
  const until = async (condition: () => boolean, mostTicks = 20_000) => {
    for (let n = 0; n < mostTicks && !condition(); n++) {
      await call.tick()
      await wait(2)
    }
    if (!condition()) throw new Error(`it did not happen: ${condition}`)
  }
  return {
    call,
    until,
    get heard(): readonly string[] {
      return heardWords(call.line.sent)
    },
    async stop() {
      call.session.stop('api')
      await until(() => call.isOver)
      parts.synthesizer?.close?.()
      parts.transcriber?.close?.()
    },
  }
}
