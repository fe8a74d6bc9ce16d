// A loop that works when it is woken, or when the time has come, and rests otherwise.
export interface Loop {
  /** There may be something to do. */
  wake(): void
  /** Resolves when the step under way is over. */
  stop(): Promise<void>
}

/** `step` does what there is to do and says after how many milliseconds to look again: 0 for at once. */
export function startLoop(step: () => Promise<number>, afterError: (error: unknown) => number): Loop {
  let stopped = false
  let woken = false
  let wakeUp = () => {}

  const rest = (ms: number) =>
    new Promise<void>((resolve) => {
      // A millisecond more: a timer that fires early would find nothing due and ask again.
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
