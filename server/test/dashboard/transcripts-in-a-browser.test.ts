// Transcripts in the dashboard: upload a recording, watch its progress, read and download its lines.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { faultsOf } from '../support/accessibility.ts'
import { dashboardPages } from '../support/dashboard-page.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let page: Page
let folder: string
beforeAll(async () => {
  fixture = await openTranscriptionFixture()
  folder = await mkdtemp(join(tmpdir(), 'parley-uploads-'))
  await writeFile(join(folder, 'meeting.wav'), toneWav(6))
  await writeFile(join(folder, 'notes.txt'), 'hello')
})
afterAll(async () => {
  await fixture?.close()
  await rm(folder, { recursive: true, force: true })
})

const {
  press,
  heading,
  signIn,
  shoot: picture,
} = dashboardPages({
  at: () => fixture.url,
  opened: (one) => {
    page = one
  },
  workspace: null,
})
beforeEach(async () => {
  await signIn('/transcripts')
  await heading('Transcripts')
})

const choose = async (name: string) => {
  await press('New transcript')
  await page.getByLabel('Recording', { exact: true }).setInputFiles(join(folder, name))
}

it('a recording is uploaded, its progress shown, its lines read and downloaded', async () => {
  const open = Promise.withResolvers<void>()
  fixture.engine.gate = open.promise
  await picture('transcripts-empty')
  await choose('meeting.wav')
  await page.getByLabel('Tell speakers apart').check()
  await page.getByLabel('How many, if known').fill('2')
  await picture('transcript-new')
  await press('Transcribe')
  await heading('meeting.wav')
  await page.getByText('52 %', { exact: true }).waitFor()
  await picture('transcript-processing')
  open.resolve()
  await page.getByText('Completed', { exact: true }).waitFor()
  await page.getByText('three', { exact: true }).waitFor()
  await page.getByText('Speaker 2', { exact: true }).first().waitFor()
  await picture('transcript-completed')
  expect(fixture.engine.jobs.at(-1)?.wishes).toMatchObject({ diarize: { minSpeakers: 2, maxSpeakers: 2 } })

  await page.getByLabel('Name of Speaker 1').fill('Ada')
  await page
    .getByRole('button', { name: /^Correct the line/ })
    .first()
    .click()
  await page.getByRole('textbox', { name: /^Words at/ }).fill('the first')
  await press('Done')
  await page.getByText('corrected', { exact: true }).waitFor()
  await page
    .getByRole('button', { name: /^Play from/ })
    .last()
    .click()
  await expect
    .poll(() => page.evaluate<number>("document.querySelector('audio').currentTime"))
    .toBeGreaterThan(0)
  // A word plays from where it was said, and is marked while it is heard.
  await page.evaluate("document.querySelector('audio').playbackRate = 0.0625")
  await page.getByText('three', { exact: true }).click()
  await page.locator('[data-heard]').filter({ hasText: 'three' }).waitFor()
  await picture('transcript-corrected')
  expect(await faultsOf(page)).toEqual([])

  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await press('Copy')
  await page.getByText('Copied').waitFor()
  expect(await page.evaluate('navigator.clipboard.readText()')).toContain('Ada: the first')
  for (const [name, beginning] of [
    ['SRT', '1\n00:00:00,000'],
    ['VTT', '<v Ada>'],
    ['Text', 'Ada: the first'],
  ] as const) {
    const downloading = page.waitForEvent('download')
    await press(name)
    const path = join(folder, name)
    await (await downloading).saveAs(path)
    expect(await readFile(path, 'utf8')).toContain(beginning)
  }
  await page.getByRole('link', { name: 'Transcripts', exact: true }).first().click()
  await page.getByRole('link', { name: 'meeting.wav' }).waitFor()
  await picture('transcripts')
})

it('a file that is not a recording is refused with a sentence', async () => {
  await choose('notes.txt')
  await press('Transcribe')
  await page.getByText('This is not a recording of a kind that can be read', { exact: false }).waitFor()
  await picture('transcript-refused')
})

it('a transcript is deleted, and the recording with it', async () => {
  await page.getByRole('link', { name: 'meeting.wav' }).first().click()
  await heading('meeting.wav')
  await press('Delete')
  await page.getByRole('dialog').getByRole('button', { name: 'Delete transcript' }).click()
  await heading('Transcripts')
  await page.getByText('No transcripts yet').waitFor()
  expect(await fixture.stored()).toEqual([])
})
