// Talking to an agent in a browser: a speech file is the microphone, and what the page plays is transcribed.
//
// In real time: browsers, WebRTC and sound cards have no virtual clock. Speed is not asserted, and a question that is
// lost on a stalled machine is asked again.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { moonshine, silero } from '../../src/engines/models/catalogue.ts'
import { pronunciation } from '../../src/engines/models/kokoro.ts'
import { moonshineTranscriber } from '../../src/engines/moonshine/moonshine.ts'
import { sileroDetector } from '../../src/engines/silero/silero.ts'
import { wrenSynthesizer } from '../../src/engines/wren/wren.ts'
import { openMediaRunner } from '../../src/main/media/media-runner.ts'
import { finalText, listen } from '../props/engines/listen.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { describeUnless } from '../props/unless.ts'
import { openBrowserBy, openContext, openWholeBrowser } from '../support/browser.ts'
import { newAgent, reaches } from '../support/call-fixture.ts'
import { childrenNamed, udpSocketsOf } from '../support/children.ts'
import { canOpenNamespace } from '../support/namespace/namespace.ts'
import { type Office, openOffice, type Udp } from '../support/namespace/office.ts'
import { playedBy, playedHz, tapSound } from '../support/played.ts'
import { admin, openService, type TestService } from '../support/service.ts'
import { microphoneFlags, writeSpokenWav } from '../support/spoken-wav.ts'

const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine, pronunciation)
const screenshots = process.env.PARLEY_SCREENSHOTS
const noFirewall = canOpenNamespace() ? undefined : 'only root can open network namespaces'

const agent = {
  agent_name: 'City library',
  agent_welcome_message: 'Hello, this is the city library.',
  agent_prompt:
    'You are the desk of the city library. We are open from nine to five. Ask for the name of the caller.',
}
// The greeting is over by then, also over the socket, which takes longer to be chosen. The file then loops.
const microphone = [{ silentMs: 6_000 }, 'When are you open?', { silentMs: 14_000 }]

describeUnless(absent, 'talking in a browser', () => {
  const voice = wrenSynthesizer({ folder })
  const transcriber = moonshineTranscriber({ folder })
  const detector = sileroDetector({ folder })
  let office: Office | undefined
  let service: TestService
  let wavFolder: string
  let browser: Browser
  let context: BrowserContext
  let complaints: string[]

  beforeAll(async () => {
    wavFolder = await mkdtemp(join(tmpdir(), 'parley-microphone-'))
    await writeSpokenWav(join(wavFolder, 'question.wav'), voice, microphone)
    office = noFirewall ? undefined : await openOffice()
    service = await openService(
      {
        ...(office && { HOST: office.address }),
        PARLEY_MODELS_DIR: folder,
        PARLEY_TTS: 'wren',
        PARLEY_WARM_ENGINES: 'true',
        PARLEY_CALL_EVENT_DELAY_SECONDS: '0',
        PARLEY_DRAIN_SECONDS: '1',
      },
      undefined,
      openMediaRunner,
    )
    // Engines that are being loaded would take the cores from the sound of the first call.
    await vi.waitFor(async () => expect((await service.bare('GET', '/readyz')).status).toBe(200), {
      timeout: 150_000,
      interval: 100,
    })
  })
  afterEach(async () => {
    await browser?.close()
    await service.database.query('DELETE FROM agents')
    expect(complaints).toEqual([])
  })
  afterAll(async () => {
    await service?.close()
    await office?.close()
    for (const engine of [voice, transcriber, detector]) await engine.close()
    await rm(wavFolder, { recursive: true, force: true })
  })

  async function openPage(flags: readonly string[], open = openWholeBrowser): Promise<Page> {
    // Otherwise the browser allows a microphone on localhost only.
    browser = await open(...flags, `--unsafely-treat-insecure-origin-as-secure=${service.url}`)
    ;({ context, complaints } = await openContext(browser))
    await tapSound(context)
    const page = await context.newPage()
    await page.goto(`${service.url}/talk`)
    await page.getByLabel('E-mail', { exact: true }).fill(admin.email)
    await page.getByLabel('Password', { exact: true }).fill(admin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    return page
  }
  const withMicrophone = () => microphoneFlags(join(wavFolder, 'question.wav'))
  const shot = async (page: Page, name: string) => {
    if (screenshots) await page.screenshot({ path: join(screenshots, `talk-${name}.png`) })
  }
  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
  const lastCall = async () => (await service.ask('GET', '/calls?limit=1')).body.data.data[0]
  const heardFrom = async (page: Page): Promise<string> =>
    finalText(await listen({ transcriber, detector }, await playedBy(page), playedHz)).toLowerCase()

  /** From the first click to the record, with the audio that the page played. */
  async function converse(page: Page, way: string): Promise<string> {
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await press(page, 'Start talking')
    await page.getByText(`over ${way}`).waitFor()
    // The unused transport is closed.
    await expect.poll(async () => (await udpSocketsOf('peer-process')) > 0).toBe(way === 'WebRTC')
    await conversation.getByText(agent.agent_welcome_message).first().waitFor()
    await expect.poll(() => levelPixels(page), { interval: 100 }).toBeGreaterThan(5)
    await conversation
      .getByText(/^when .*open/i)
      .first()
      .waitFor()
    await conversation
      .getByText(/open from nine to five/i)
      .first()
      .waitFor()
    // A finished answer is in the transcript, with its latency.
    await page
      .getByRole('region', { name: 'Latency' })
      .getByText(/\d+ ms/)
      .first()
      .waitFor()
    await expect.poll(() => saidToTheEnd(page)).toBe(true)
    await shot(page, `${way}-during`)
    // The question loops, so the answer is heard repeatedly.
    let heard = ''
    const listenAgain = async () => (heard = await heardFrom(page))
    await expect.poll(listenAgain, { interval: 1_000 }).toMatch(/nine to five|9 to 5/)
    await press(page, 'Hang up')
    await page.getByText('The record of this call').waitFor()
    return heard
  }
  /** The width of the agent's level meter. */
  const levelPixels = (page: Page) =>
    page.locator('[data-level=Agent]').evaluate((bar) => bar.getBoundingClientRect().width)
  /** Nothing is being said, so every bubble is in the transcript. */
  const saidToTheEnd = async (page: Page) =>
    (await page.getByRole('status').getByText('Listening').count()) === 1 &&
    (await page.getByText('…').count()) === 0

  /** Behind the firewall if there can be one; what its network passes is verified first. */
  async function openPageWhereUdp(udp: Udp): Promise<Page> {
    if (!office) return openPage(withMicrophone())
    const { chromium } = office
    await office.setUdp(udp)
    expect(await office.carries()).toEqual({ tcp: true, udp: udp === 'passes' })
    return openPage(withMicrophone(), (...flags) => openBrowserBy(chromium, ...flags))
  }

  async function holdsConversation(way: string, udp: Udp): Promise<void> {
    const agent_id = await newAgent(service, agent)
    const page = await openPageWhereUdp(udp)
    const heard = await converse(page, way)
    expect(heard).toMatch(/city|library/)

    const calls = (await service.ask('GET', `/calls?agent_id=${agent_id}`)).body.data.data
    expect(calls).toHaveLength(1)
    expect(await reaches(service, calls[0].session_id, 'completed')).toMatchObject({
      call_type: 'web',
      provider: 'browser',
      hangup_reason: 'user_hangup',
      call_terminated_by: 'user',
      error_message: null,
    })
    await page.getByText('You', { exact: true }).last().waitFor()
    const player = page.getByLabel('Recording')
    await expect
      .poll(() => player.evaluate((audio) => (audio as unknown as { duration: number }).duration))
      .toBeGreaterThan(5)
    await shot(page, `${way}-after`)
  }
  const slow = { retry: 1 }

  it('holds a conversation over WebRTC', slow, () => holdsConversation('WebRTC', 'passes'))

  describeUnless(noFirewall, 'behind a firewall', () => {
    it('holds a conversation over WebSocket if UDP is dropped', slow, () =>
      holdsConversation('WebSocket', 'vanishes'),
    )

    it('is answered over WebSocket if UDP is rejected', async () => {
      await newAgent(service, agent)
      const page = await openPageWhereUdp('is refused')
      await press(page, 'Start talking')
      await page.getByText('over WebSocket').waitFor()
      await page.getByText(agent.agent_welcome_message).first().waitFor()
      await press(page, 'Hang up')
      await page.getByText('The record of this call').waitFor()
    })
  })

  it('offers a sample agent if there is none, and talks to it', async () => {
    const page = await openPage(withMicrophone())
    await page.getByText('No agent to talk to').waitFor()
    await shot(page, 'no-agent')
    await press(page, 'Create a sample agent')
    const notice = page.getByRole('note').filter({ hasText: 'No language model is connected.' })
    await notice.getByRole('link', { name: 'How to connect one' }).waitFor()
    await press(page, 'Start talking')
    await page
      .getByText(/this is Maple Dental/)
      .last()
      .waitFor()
    await press(page, 'Mute')
    await press(page, 'Unmute')
    await press(page, 'Hang up')
    await page.getByText('The record of this call').waitFor()
  })

  it('ends the call when the page is closed', async () => {
    await newAgent(service, agent)
    const page = await openPage(withMicrophone())
    await press(page, 'Start talking')
    // On a busy machine the server may give WebRTC up before its first packet.
    await page.getByText(/over Web(RTC|Socket)/).waitFor()
    const { session_id } = await lastCall()
    await page.close()
    expect(await reaches(service, session_id, 'completed')).toMatchObject({ hangup_reason: 'user_hangup' })
  })

  it('continues over WebSocket when the WebRTC process dies', slow, async () => {
    await newAgent(service, agent)
    const page = await openPage(withMicrophone())
    await press(page, 'Start talking')
    await page.getByText('over WebRTC').waitFor()
    for (const pid of await childrenNamed('peer-process')) process.kill(pid, 'SIGKILL')
    await page.getByText('over WebSocket').waitFor()
    const conversation = page.getByRole('region', { name: 'Conversation' })
    await conversation
      .getByText(/open from nine to five/i)
      .first()
      .waitFor()
    await press(page, 'Hang up')
    await page.getByText('The record of this call').waitFor()
    expect(service.log.filter((line) => line.includes('the WebRTC process has ended'))).toHaveLength(1)
  })

  it('says what to do when the microphone is blocked', async () => {
    await newAgent(service, agent)
    const page = await openPage(['--use-fake-device-for-media-stream', '--deny-permission-prompts'])
    await press(page, 'Start talking')
    await page
      .getByRole('alert')
      .getByText(/The microphone was refused/)
      .waitFor()
    await shot(page, 'refused')
    expect((await service.ask('GET', '/calls?call_status=queued')).body.data.data).toEqual([])
  })
})
