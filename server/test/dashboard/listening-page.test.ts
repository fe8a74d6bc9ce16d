// The page for listening, as its script makes it: every sound that it names is there, and a browser can play it.
import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { wrenVoiceNames } from '../../src/engines/wren/voices.ts'
import { LevelMeter } from '../../src/media/level.ts'
import { parseWav } from '../../src/media/wav-parse.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { openBrowser, openContext } from '../support/browser.ts'

const script = fileURLToPath(new URL('../../../scripts/make-listening-page.ts', import.meta.url))
const { folder: models, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, pronunciation)

// For the page: how long each of its players says that its sound is.
const secondsOfPlayers = `Promise.all([...document.querySelectorAll('audio')].map((player) =>
  new Promise((resolve, reject) => {
    player.onloadedmetadata = () => resolve(player.duration)
    player.onerror = () => reject(new Error('cannot play ' + player.src))
    player.preload = 'metadata'
  })))`

describeUnless(absent, 'the page for listening', () => {
  let folder = ''
  let page = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'parley-listening-'))
    await promisify(execFile)(process.execPath, [script, folder, '--sentences', '1'], {
      env: { ...process.env, PARLEY_MODELS_DIR: models },
    })
    page = await readFile(join(folder, 'index.html'), 'utf8')
  })
  afterAll(() => rm(folder, { recursive: true, force: true }))

  const named = () => [...page.matchAll(/src="([^"]+)"/g)].map(([, file = '']) => file)

  it('has a sound of each voice, and no other files', async () => {
    expect(named()).toEqual(wrenVoiceNames.map((name) => `${name}-1.wav`))
    expect(new Set(await readdir(folder))).toEqual(new Set(['index.html', ...named()]))
  })

  it('names sounds that are as long and as loud as speech', async () => {
    for (const file of named()) {
      const { rateHz, channels } = parseWav(await readFile(join(folder, file)))
      const [samples = new Int16Array()] = channels
      const meter = new LevelMeter()
      meter.add(samples)
      expect(samples.length / rateHz, `${file}, seconds`).toBeGreaterThan(1.5)
      expect(samples.length / rateHz, `${file}, seconds`).toBeLessThan(6)
      expect(meter.rmsDb, `${file}, dB`).toBeGreaterThan(-35)
      expect(meter.rmsDb, `${file}, dB`).toBeLessThan(-15)
    }
  })

  it('opens in a browser, which can play all of them', async () => {
    const browser = await openBrowser()
    try {
      const { context, complaints } = await openContext(browser)
      const opened = await context.newPage()
      await opened.goto(pathToFileURL(join(folder, 'index.html')).href)
      const seconds = await opened.evaluate<number[]>(secondsOfPlayers)
      expect(seconds).toHaveLength(named().length)
      for (const duration of seconds) expect(duration).toBeGreaterThan(1.5)
      expect(complaints).toEqual([])
    } finally {
      await browser.close()
    }
  })
})
