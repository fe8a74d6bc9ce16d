// The jobs of a process: started together, woken by notifications from the database, stopped together.
import type { Listener, Subscription } from '../db/db.ts'
import { type Loop, startLoop } from '../loop.ts'
import type { Job, Sweep } from './job.ts'
import { type JobsOptions, JobWorker } from './worker.ts'

export class Jobs {
  readonly #options: JobsOptions
  readonly #running: Pick<Loop, 'wake' | 'stop'>[] = []
  readonly #subscriptions: Subscription[] = []

  constructor(options: JobsOptions) {
    this.#options = options
  }

  /** New rows are announced on the channel named after the table. */
  async start<Row, Result>(job: Job<Row, Result>): Promise<JobWorker<Row, Result>> {
    const worker = new JobWorker(job, this.#options)
    this.#running.push(worker)
    await this.#listen(job.table.table, worker.wake)
    return worker
  }

  async sweep(sweep: Sweep): Promise<void> {
    const loop = startSweep(sweep, this.#options)
    this.#running.push(loop)
    if (sweep.notice !== undefined) await this.#listen(sweep.notice, loop.wake)
  }

  /** Call it when there may be work, for example after the claimant has reconnected. */
  wake(): void {
    for (const one of this.#running) one.wake()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#subscriptions.map((subscription) => subscription.close()))
    await Promise.all(this.#running.map((one) => one.stop()))
  }

  async #listen(channel: string, wake: () => void): Promise<void> {
    const listener: Listener = { notice: wake, resumed: wake }
    this.#subscriptions.push(await this.#options.db.listen(channel, listener))
  }
}

export function startSweep(sweep: Sweep, { log }: Pick<JobsOptions, 'log'>): Loop {
  return startLoop(
    async () => Math.min(sweep.everyMs, Math.max(0, await sweep.run())),
    (err) => {
      log.warn({ err, job: sweep.name }, 'sweep failed')
      return sweep.afterErrorMs
    },
  )
}
