// Refuses calls that would begin now, while the sound of this process leaves late.
import { fail } from '../../../http/failure.ts'

// The clock of calls is trusted again after five good seconds.
const retryAfterSeconds = 10

export function mustKeepTime(isOverloaded: () => boolean): void {
  if (isOverloaded()) fail('SERVICE_OVERLOADED', { headers: { 'retry-after': String(retryAfterSeconds) } })
}
