// From outside of a call: how long after the caller's last sound the agent's first is heard.
export class TurnMeter {
  readonly turnsMs: number[] = []
  measuring = false
  #spokeMs = Number.NaN

  callerSounds(atMs: number): void {
    this.#spokeMs = atMs
  }

  /** The first sound after the caller's is the answer. */
  agentSounds(atMs: number): void {
    if (this.measuring && !Number.isNaN(this.#spokeMs)) this.turnsMs.push(atMs - this.#spokeMs)
    this.#spokeMs = Number.NaN
  }
}

export interface SideReport {
  readonly turnsMs: readonly number[]
  readonly cpuShare: number
}

/** Lets it run, and tells what one process of it took. */
export async function measureSide(
  meters: readonly TurnMeter[],
  { warmUpMs, forMs }: { readonly warmUpMs: number; readonly forMs: number },
  wait: (ms: number) => Promise<unknown>,
): Promise<SideReport> {
  await wait(warmUpMs)
  for (const meter of meters) meter.measuring = true
  const [fromMs, before] = [performance.now(), process.cpuUsage()]
  await wait(forMs)
  const { user, system } = process.cpuUsage(before)
  const cpuShare = (user + system) / 1_000 / (performance.now() - fromMs)
  for (const meter of meters) meter.measuring = false
  return { turnsMs: meters.flatMap(({ turnsMs }) => turnsMs), cpuShare }
}

/**
 * A clock for the caller that is moved by hand, so that on both sides a frame of the caller comes in right before a frame of
 * the agent goes out: otherwise the chance distance of two clocks is what is compared.
 */
export function handClock() {
  let tick: (dueMs: number) => void = () => {}
  return {
    add(next: (dueMs: number) => void) {
      tick = next
      return {
        end() {
          tick = () => {}
        },
      }
    },
    move: (dueMs: number) => tick(dueMs),
  }
}
