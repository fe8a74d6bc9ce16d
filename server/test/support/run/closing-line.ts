// The last lines of a test run: every failed test with its error in short, for those who see only the end of a long
// log, and the counts of passed, failed and skipped tests. Under CI=true a skipped test that is not on the list of
// allowed skips fails the run.
import type { Reporter, TestCase, TestModule } from 'vitest/node'
import { forbiddenSkips } from './skip-gate.ts'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length
    const forbidden = process.env.CI === 'true' ? forbiddenSkips(tests) : []
    const failed = count('failed') + brokenFiles + unhandled.length + forbidden.length
    const skipped = count('skipped') - forbidden.length
    if (forbidden.length > 0) process.exitCode = 1
    // After vitest's own summary, which is written when the run has ended.
    process.on('exit', () => {
      for (const test of tests) if (test.result().state === 'failed') console.log(inShort(test))
      for (const sentence of forbidden) console.log(sentence)
      console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`)
    })
  }
}

const shownCharacters = 600

/** With the seed and the counterexample of a property, and the assertion that it broke. */
function inShort(test: TestCase): string {
  const errors = (test.result().errors ?? []).flatMap((error) => [error, error.cause])
  const messages = errors.flatMap((error) => (error ? [`  ${error.message}`.slice(0, shownCharacters)] : []))
  return [`FAILED ${test.module.relativeModuleId}: ${test.fullName}`, ...messages].join('\n')
}
