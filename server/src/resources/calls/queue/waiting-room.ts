// Arrivals waiting until the dispatcher can claim them.
import type { Admission, Admit, Arrival, ArrivalKey } from '../../../ports/arrival.ts'

interface WaitingArrival {
  readonly key: ArrivalKey
  readonly arrival: Arrival
  readonly resolve: (admission: Admission) => void
  readonly reject: (error: unknown) => void
}

export class WaitingRoom {
  readonly #waiting: WaitingArrival[] = []

  enter: Admit = (key, arrival) => {
    const { promise, resolve, reject } = Promise.withResolvers<Admission>()
    this.#waiting.push({ key, arrival, resolve, reject })
    return promise
  }

  /** Admits one arrival after the other, including those that come meanwhile. */
  async admitAll(admit: Admit): Promise<void> {
    for (let next = this.#waiting.shift(); next; next = this.#waiting.shift())
      await admit(next.key, next.arrival).then(next.resolve, next.reject)
  }
}
