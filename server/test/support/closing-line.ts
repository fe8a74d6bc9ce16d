// The last line of a test run: what passed, what failed, in one form for every reader.
import type { Reporter, TestModule } from 'vitest/node'

export default class ClosingLine implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly unknown[]): void {
    const tests = modules.flatMap((module) => [...module.children.allTests()])
    const count = (state: string) => tests.filter((test) => test.result().state === state).length
    const brokenFiles = modules.filter(
      (module) => module.state() === 'failed' && module.errors().length > 0,
    ).length
    const failed = count('failed') + brokenFiles + unhandled.length
    const skipped = count('skipped')
    // After vitest's own summary, which is written when the run has ended.
    process.on('exit', () =>
      console.log(`${count('passed')} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`),
    )
  }
}
