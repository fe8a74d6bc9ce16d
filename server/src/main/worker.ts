// The worker role: work that no request waits for.
import { answerStore } from '../http/idempotency-store.ts'
import { sessions } from '../resources/users/sessions.ts'
import type { Floor } from './floor.ts'

// What expires is ignored from that moment on; removing it is only housekeeping.
const pruneEveryMs = 10 * 60 * 1000

export interface Worker {
  stop(): Promise<void>
}

export function startWorker({ db, vault, log }: Floor): Worker {
  const answers = answerStore(db, vault)
  const people = sessions(db)
  let pruning: Promise<unknown> = Promise.resolve()
  const prune = () => {
    pruning = Promise.all([answers.prune(), people.prune()]).catch((err) =>
      log.warn({ err }, 'pruning failed'),
    )
  }
  const timer = setInterval(prune, pruneEveryMs).unref()
  prune()
  return {
    async stop() {
      clearInterval(timer)
      await pruning
    },
  }
}
