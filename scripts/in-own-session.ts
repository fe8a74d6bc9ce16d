// Runs a program in a session of its own, and ends as it does.
//
// Linux shares the processor between sessions before it shares it within one. Beside a program that never rests in the
// same session, Linux 6.18 lets others wait for seconds while calls go on: a browser, PostgreSQL, its own threads.
import { spawn } from 'node:child_process'

const [program, ...args] = process.argv.slice(2)
if (program === undefined)
  throw new Error('Which program? node scripts/in-own-session.ts PROGRAM [ARGUMENT…]')

const child = spawn(program, args, { detached: true, stdio: ['ignore', 'inherit', 'inherit'] })
// A terminal only interrupts what is in its own session.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
  process.on(signal, () => child.pid !== undefined && process.kill(-child.pid, signal))
child.on('error', (error) => {
  console.error(error.message)
  process.exitCode = 127
})
child.on('exit', (code) => {
  process.exitCode = code ?? 1
})
