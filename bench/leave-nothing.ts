// However this process ends, what it started ends with it, and its folders go.
type Duty = () => void

const duties = new Set<Duty>()
let listening = false

/** `duty` runs at the end, at once and without waiting, unless it is called off before. */
export function beforeLeaving(duty: Duty): { callOff(): void } {
  if (!listening) listen()
  duties.add(duty)
  return { callOff: () => duties.delete(duty) }
}

function listen(): void {
  listening = true
  process.once('exit', leave)
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(signal, () => {
      leave()
      process.exit(1)
    })
  }
}

function leave(): void {
  // The youngest first: a process before the folder it writes to.
  for (const duty of [...duties].reverse()) duty()
  duties.clear()
}
