// Cleans up child processes and temporary folders, however this process ends.
type Cleanup = () => void

const cleanups = new Set<Cleanup>()
let listening = false

/** `cleanup` runs synchronously at exit, unless it is cancelled before. */
export function onExit(cleanup: Cleanup): { cancel(): void } {
  if (!listening) listen()
  cleanups.add(cleanup)
  return { cancel: () => cleanups.delete(cleanup) }
}

function listen(): void {
  listening = true
  process.once('exit', cleanUp)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      cleanUp()
      process.exit(1)
    })
  }
}

function cleanUp(): void {
  // Most recent first: a process before the folder it writes to.
  for (const cleanup of [...cleanups].reverse()) cleanup()
  cleanups.clear()
}
