// The clock of a call: the time of its last tick. Only the session advances it.
export interface Clock {
  readonly nowMs: number
}
