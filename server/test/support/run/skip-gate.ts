// Which skipped tests a run may have. A test that is skipped for an unlisted reason proves nothing, and a green run
// must not hide it: a broken download of weights would skip every test of speech.
import { readFileSync } from 'node:fs'
import type { TestCase } from 'vitest/node'

interface AllowedSkip {
  /** How the reason begins. */
  readonly reason: string
  readonly why: string
}

const allowed: readonly AllowedSkip[] = JSON.parse(
  readFileSync(new URL('../../allowed-skips.json', import.meta.url), 'utf8'),
)

/** From the name of the test or of its suite, as written by props/unless.ts, or from `skip` inside the test. */
export function reasonOf(test: TestCase): string | undefined {
  const result = test.result()
  return (
    /\[skipped: (.+?)\]/.exec(test.fullName)?.[1] ?? (result.state === 'skipped' ? result.note : undefined)
  )
}

/** A sentence for every skipped test without an allowed reason. */
export function forbiddenSkips(tests: readonly TestCase[]): string[] {
  return tests.flatMap((test) => {
    if (test.result().state !== 'skipped') return []
    const name = `${test.module.relativeModuleId} > ${test.fullName}`
    const reason = reasonOf(test)
    if (!reason) return [`${name} is skipped without a reason.`]
    if (allowed.some((one) => reason.startsWith(one.reason))) return []
    return [`${name} is skipped for a reason that server/test/allowed-skips.json does not list.`]
  })
}
