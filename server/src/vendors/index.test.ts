// Every company is tested by its own folder, over the suites in server/test/props/vendors/ and transcription-vendors/.
import { globSync, readFileSync } from 'node:fs'
import { type CompanyName, companies } from '@parley/contract/companies'
import { expect, it } from 'vitest'

const suites = {
  // The suite is for sockets and HTTP; a transcriber over gRPC has tests of its own and this one.
  hears: /transcriber(Suite|Settings)\(/,
  speaks: /synthesizerSuite\(/,
  recordings: /recordingsSuite\(/,
  thinks: /modelSuite\(/,
}

it.each(Object.keys(companies) as CompanyName[])('%s is tested for all that it does', (name) => {
  const own = globSync(`${import.meta.dirname}/${name}/*.test.ts`)
  const files = own.length > 0 ? own : [`${import.meta.dirname}/chat-completions.test.ts`]
  const text = files.map((file) => readFileSync(file, 'utf8')).join('\n')
  const untested = Object.entries(suites).flatMap(([service, suite]) =>
    service in companies[name] && !suite.test(text) ? [service] : [],
  )
  expect(untested).toEqual([])
})
