// The time of a call: that of its last tick. Only the session moves it.
export interface Clock {
  readonly nowMs: number
}
