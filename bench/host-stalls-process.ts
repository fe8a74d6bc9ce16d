// Notices when the host takes the core away: run with real-time priority, it waits a millisecond again and again, and prints how
// much longer it took, if it was much longer. Programs of this machine cannot delay it.
const clock = new Int32Array(new SharedArrayBuffer(4))
const shortestMs = 15

for (let lastMs = performance.now(); ; ) {
  Atomics.wait(clock, 0, 0, 1)
  const nowMs = performance.now()
  if (nowMs - lastMs >= shortestMs) process.stdout.write(`${(nowMs - lastMs).toFixed(1)}\n`)
  lastMs = nowMs
}
