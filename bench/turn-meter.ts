// Measures a call from outside: the time from the caller's last sound to the agent's first.
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

/** Runs one side, and reports what its process used. */
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
 * A manual clock for the caller, so that on both sides a frame of the caller comes in right before a frame of the agent
 * goes out: otherwise the random offset of two clocks would be compared.
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
