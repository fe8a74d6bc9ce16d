// Starts user-agent-process.ts and speaks with it.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import type { Counts, Order, Report, Settings } from './user-agent-orders.ts'

const program = fileURLToPath(new URL('./user-agent-process.ts', import.meta.url))

type Event = Report['event']
/** The reports of one kind; some kinds share a form. */
type ReportOf<Name extends Event, One = Report> = One extends { readonly event: infer Kind }
  ? Name extends Kind
    ? One
    : never
  : never

export class AgentProcess {
  readonly #child: ChildProcessWithoutNullStreams
  readonly reports: Report[] = []
  /** What it wrote to its standard error: exceptions. */
  errors = ''
  #wake: (() => void)[] = []

  static async start(settings: Settings = {}, nodeFlags: readonly string[] = []): Promise<AgentProcess> {
    for (;;) {
      const agent = new AgentProcess(
        spawn(process.execPath, [...nodeFlags, program, JSON.stringify(settings)]),
      )
      const refusal = await agent.next('ready').then(
        () => undefined,
        (error: Error) => error,
      )
      if (!refusal) return agent
      // The port that was free for UDP belongs to a TCP connection of somebody else.
      if (!refusal.message.includes('EADDRINUSE')) throw refusal
    }
  }

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child
    createInterface({ input: child.stdout }).on('line', (line) => {
      this.reports.push(JSON.parse(line))
      for (const wake of this.#wake.splice(0)) wake()
    })
    child.stderr.on('data', (chunk) => {
      this.errors += chunk
    })
    child.once('exit', () => {
      for (const wake of this.#wake.splice(0)) wake()
    })
    child.stdin.on('error', () => {})
  }

  get pid(): number {
    return this.#child.pid ?? 0
  }

  get isAlive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null
  }

  get port(): number {
    return this.#ready().port
  }

  get tlsPort(): number {
    return this.#ready().tlsPort ?? 0
  }

  tell(order: Order): void {
    this.#child.stdin.write(`${JSON.stringify(order)}\n`)
  }

  of<Name extends Event>(event: Name): ReportOf<Name>[] {
    return this.reports.filter((report) => report.event === event) as ReportOf<Name>[]
  }

  /** The first report of this kind from `from` on that fits; waits for it as long as the test may last. */
  async next<Name extends Event>(
    event: Name,
    fits: (report: ReportOf<Name>) => boolean = () => true,
    from = 0,
  ): Promise<ReportOf<Name>> {
    for (;;) {
      const found = this.reports
        .slice(from)
        .find((report) => report.event === event && fits(report as ReportOf<Name>))
      if (found) return found as ReportOf<Name>
      if (!this.isAlive) throw new Error(`The user agent has died: ${this.errors}`)
      await new Promise<void>((resolve) => void this.#wake.push(resolve))
    }
  }

  async counts(): Promise<Counts> {
    const from = this.reports.length
    this.tell({ do: 'count' })
    return this.next('counts', () => true, from)
  }

  async stop(): Promise<void> {
    if (!this.isAlive) return
    this.tell({ do: 'stop' })
    const timer = setTimeout(() => this.#child.kill('SIGKILL'), 5_000)
    await once(this.#child, 'exit')
    clearTimeout(timer)
  }

  #ready() {
    const [ready] = this.of('ready')
    if (!ready) throw new Error('not ready')
    return ready
  }
}
