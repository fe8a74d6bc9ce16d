// The time limit of a disaster: one that does not end is a finding too, and is reported instead of being waited for.

/** Rejects if the promise takes longer. `what` is the subject of the sentence, as in "the last requests". */
export async function within<Value>(seconds: number, what: string, done: Promise<Value>): Promise<Value> {
  const { promise: late, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(new Error(`${what} took more than ${seconds} s`)), seconds * 1_000)
  try {
    return await Promise.race([done, late])
  } finally {
    clearTimeout(timer)
  }
}
