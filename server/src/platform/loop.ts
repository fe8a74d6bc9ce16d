// A loop that runs a step when woken or when its time has come, and sleeps otherwise.
export interface Loop {
  /** Call it when there may be something to do. */
  wake(): void
  /** Resolves when the current step is over. */
  stop(): Promise<void>
}

/** `step` does what is due and returns after how many milliseconds to run again: 0 for immediately. */
export function startLoop(step: () => Promise<number>, afterError: (error: unknown) => number): Loop {
  let stopped = false
  let woken = false
  let wakeUp = () => {}

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      // One millisecond more: a timer that fires early would find nothing due and query again.
      const timer = setTimeout(resolve, ms + 1)
      wakeUp = () => {
        clearTimeout(timer)
        resolve()
      }
    })

  const run = async () => {
    while (!stopped) {
      woken = false
      const waitMs = await step().catch(afterError)
      if (waitMs > 0 && !woken && !stopped) await rest(waitMs)
    }
  }
  const running = run()

  return {
    wake() {
      if (woken) return
      woken = true
      wakeUp()
    },
    async stop() {
      stopped = true
      wakeUp()
      await running
    },
  }
}
