// Whole calls through every fault of a vendor: what was said is not lost, nothing is said twice, and the call goes on. It asks
// for the outcome, and leaves to the call how it comes about.
import { writeFileSync } from 'node:fs'
import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { stopTimers } from './faulty-call.ts'

export interface FaultResult {
  /** Words that never came, and words that came once too often. */
  readonly lost: number
  readonly twice: number
  /** Whether the call was alive at the end, and all of it was answered. */
  readonly wentOn: boolean
  /** What was said and noted, for whoever looks into a failure. */
  readonly story: readonly string[]
}

export interface FaultsOf<Name extends string, Fault> {
  /** What the vendors do. */
  readonly service: string
  readonly names: readonly Name[]
  readonly faults: Readonly<Record<string, Fault>>
  readonly callThrough: (name: Name, fault: Fault, cleanups: (() => unknown)[]) => Promise<FaultResult>
}

/** With FAULTS_TABLE=<folder>, the results are kept there as a table for each service. */
export function faultsSuite<Name extends string, Fault>({
  service,
  names,
  faults,
  callThrough,
}: FaultsOf<Name, Fault>): void {
  const kinds = Object.keys(faults)
  const cells = new Map<string, string>()
  const cleanups: (() => unknown)[] = []

  describe.each(names)(`%s ${service}`, (name) => {
    beforeEach(stopTimers)
    afterEach(async () => {
      vi.useRealTimers()
      for (const clean of cleanups.splice(0).reverse()) await clean()
    })

    it.each(Object.entries(faults))('%s', async (kind, fault) => {
      const { lost, twice, wentOn, story } = await callThrough(name, fault, cleanups)
      cells.set(`${name} ${kind}`, `${lost} / ${twice}${wentOn ? '' : ', call over'}`)
      expect({ lost, twice, wentOn }, story.join('\n')).toEqual({ lost: 0, twice: 0, wentOn: true })
    })
  })

  afterAll(() => {
    const folder = process.env.FAULTS_TABLE
    if (folder === undefined) return
    const row = (texts: readonly string[]) => `| ${texts.join(' | ')} |\n`
    const head = row(['words lost / said twice', ...kinds]) + row(['---', ...kinds.map(() => '---')])
    const rows = names.map((name) => row([name, ...kinds.map((kind) => cells.get(`${name} ${kind}`) ?? '')]))
    writeFileSync(`${folder}/${service}.md`, head + rows.join(''))
  })
}
