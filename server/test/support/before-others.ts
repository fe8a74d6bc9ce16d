// Runs tests in real time before everything else on this machine, as far as this user may. A telephone does not wait
// for the processor, and what it hears from one that is busy with something else has holes in it. Threads and
// processes that are started later inherit it.
import { constants, setPriority } from 'node:os'

try {
  setPriority(constants.priority.PRIORITY_HIGH)
} catch {
  // Only root may.
}
