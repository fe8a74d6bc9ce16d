// Process statistics of the kernel. Reads /proc: Linux only.
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  /** CPU ticks, its own and those of its dead children. */
  readonly ticks: number
}

export const allProcesses = (): readonly ProcStat[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])

// /proc/<pid>/stat: pid (name) state parent …; the name may contain anything, even brackets. From the twelfth field
// after the name on: utime stime cutime cstime.
export function statOf(pid: number): ProcStat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, state: fields[0] ?? '', parent: Number(fields[1]), ticks }
  } catch {
    return undefined
  }
}
