// The priority of a thread against the others of the machine. On Linux every thread has its own, and hands it on to the threads and
// processes that it starts; elsewhere the whole process would be meant, and nothing is changed.
import { getPriority, setPriority } from 'node:os'

/** Ahead of what was started with the usual priority, and behind what an operator put first on purpose. */
const nicenessOfSound = -10

/** Lets this thread run before others. False: the system does not permit it. */
export function goFirst(): boolean {
  if (process.platform !== 'linux') return false
  try {
    setPriority(Math.min(nicenessOfSound, getPriority()))
    return true
  } catch {
    return false
  }
}

/** Gives this thread the priority of the process, or a lower one: `niceness` counts as `nice` does. */
export function giveWay(niceness: number): void {
  // Only with a permission may a priority be raised above that of the process.
  if (process.platform === 'linux') setPriority(Math.max(niceness, getPriority(process.pid)))
}
