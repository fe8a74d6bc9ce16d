// What the kernel says of every process. Reads /proc: Linux only.
import { readdirSync, readFileSync } from 'node:fs'

export interface ProcStat {
  readonly pid: number
  readonly state: string
  readonly parent: number
  /** Of the processors, its own and what its dead children took. */
  readonly ticks: number
}

export const allProcesses = (): readonly ProcStat[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => statOf(Number(name)) ?? [])

// /proc/<pid>/stat: pid (name) state parent …, where the name may hold anything, brackets too; from the twelfth field
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
