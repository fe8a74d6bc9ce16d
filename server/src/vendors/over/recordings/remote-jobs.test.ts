// Vendors with asynchronous jobs: polling, retries, and resuming after a crash.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { asynchronousVendors } from '../../../../test/props/transcription-vendors/asynchronous.ts'
import {
  apiKey,
  hasty,
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  run,
} from '../../../../test/props/transcription-vendors/fixture.ts'

const often = { interval: 2 }
let loopback: Loopback
beforeAll(async () => {
  loopback = await openLoopback()
})
beforeEach(() => loopback.reset())
afterAll(() => loopback.close())

describe.each(asynchronousVendors)('$name', (scripted) => {
  const vendor = () => scripted.open(loopback.server)
  const done = [scripted.spoken[scripted.pollRoute]].flat().at(-1)
  const polling = (...replies: unknown[]) => ({ ...scripted.spoken, [scripted.pollRoute]: replies as never })
  const polls = () => loopback.asked().filter((what) => what === scripted.pollRoute).length
  const submissions = () => loopback.asked().filter((what) => scripted.submitRoutes.includes(what))

  it('is polled until the job is done, with a single submission', async () => {
    const { working } = scripted
    loopback.script = polling(working, working, working, done)
    const { job, progress } = await jobIn(loopback.folder, 2, plain)
    expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
    expect([polls(), submissions()]).toEqual([4, scripted.submitRoutes])
    expect(new Set(progress).size).toBeGreaterThan(4)
  })

  it('may rate-limit, fail or be unreachable for a while', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' } }
    const { working } = scripted
    loopback.script = polling(busy, { status: 503 }, 'drop', working, 'drop', done)
    const { job } = await jobIn(loopback.folder, 2, plain)
    expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
    expect([polls(), submissions()]).toEqual([6, scripted.submitRoutes])
  })

  it('that keeps failing is given up, and the next attempt resumes the job', async () => {
    loopback.script = polling({ status: 503, body: { error: 'down' } })
    const { job, kept } = await jobIn(loopback.folder, 2, plain)
    await expect(run(vendor(), job)).rejects.toThrow(/answered 503: .*down/)
    expect(polls()).toBe(4)
    loopback.script = polling(done)
    const again = await jobIn(loopback.folder, 2, plain, kept)
    expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
    expect(submissions()).toEqual(scripted.submitRoutes)
  })

  it('that never finishes is given up after the time limit', async () => {
    loopback.script = polling(scripted.working)
    const { job } = await jobIn(loopback.folder, 2, plain)
    const { signal } = new AbortController()
    const endless = run(vendor(), job, signal, { ...hasty, patienceMs: () => 30 })
    await expect(endless).rejects.toThrow(/has not finished after a minute\./)
  })

  it('that refuses a poll is quoted at once', async () => {
    loopback.script = polling({ status: 403, body: { error: `Not with ${apiKey}.` } })
    const { job } = await jobIn(loopback.folder, 2, plain)
    await expect(run(vendor(), job)).rejects.toThrow(/answered 403: .*Not with …\./)
    expect(polls()).toBe(1)
  })

  it('that fails is quoted without the key, and the next attempt submits again', async () => {
    loopback.script = polling(scripted.failed)
    const { job, kept } = await jobIn(loopback.folder, 2, plain)
    const failure = run(vendor(), job)
    await expect(failure).rejects.toThrow(/could not transcribe it: ./)
    await expect(failure).rejects.not.toThrow(apiKey)
    loopback.script = polling(done)
    await run(vendor(), (await jobIn(loopback.folder, 2, plain, kept)).job)
    expect(submissions()).toEqual([...scripted.submitRoutes, ...scripted.submitRoutes])
  })

  it('is no longer contacted soon after an abort, and the job is resumed after a crash', async () => {
    const stop = new AbortController()
    loopback.script = { ...scripted.spoken, [scripted.pollRoute]: [scripted.working, 'hang'] }
    const { job, kept } = await jobIn(loopback.folder, 2, plain)
    const stopped = run(vendor(), job, stop.signal)
    await expect.poll(polls, often).toBe(2)
    stop.abort(new Error('Aborted by the test.'))
    await expect(stopped).rejects.toThrow('Aborted by the test.')

    loopback.script = polling(done)
    const again = await jobIn(loopback.folder, 2, plain, kept)
    expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
    expect(submissions()).toEqual(scripted.submitRoutes)

    // A stored result is not requested again.
    loopback.received.length = 0
    await run(vendor(), (await jobIn(loopback.folder, 2, plain, kept)).job)
    expect(loopback.asked()).toEqual([])
  })

  it('that has lost the job gets it submitted again', async () => {
    loopback.script = { ...scripted.spoken, [scripted.pollRoute]: 'hang' }
    const stop = new AbortController()
    const { job, kept } = await jobIn(loopback.folder, 2, plain)
    const stopped = run(vendor(), job, stop.signal)
    await expect.poll(polls, often).toBe(1)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    let asked = 0
    const gone = { status: 404, body: { error: 'not found' } }
    loopback.script = {
      ...scripted.spoken,
      [scripted.pollRoute]: () => (asked++ === 0 ? gone : (done as never)),
    }
    await run(vendor(), (await jobIn(loopback.folder, 2, plain, kept)).job)
    expect(submissions()).toEqual([...scripted.submitRoutes, ...scripted.submitRoutes])
  })
})

const vendorNamed = (name: string) => {
  const scripted = asynchronousVendors.find((one) => one.name === name)
  if (!scripted) throw new Error(`${name} is not scripted.`)
  return scripted
}

it('a Gladia transcript without the requested diarization counts as failed', async () => {
  const { open, spoken, pollRoute } = vendorNamed('Gladia')
  const diarization = { success: false, error: { message: 'Too many voices.' } }
  loopback.script = { ...spoken, [pollRoute]: { body: { status: 'done', result: { diarization } } } }
  const wishes = { ...plain, diarize: { minSpeakers: 1, maxSpeakers: 20 } }
  const { job } = await jobIn(loopback.folder, 2, wishes)
  await expect(run(open(loopback.server), job)).rejects.toThrow(
    'Gladia could not transcribe it: Too many voices.',
  )
})

it('Soniox files are deleted after a refused or failed transcription', async () => {
  const { open, spoken, pollRoute, failed } = vendorNamed('Soniox')
  const refused = { status: 400, body: { message: 'No such model.' } }
  loopback.script = { ...spoken, 'POST /v1/transcriptions': refused }
  const { job } = await jobIn(loopback.folder, 2, plain)
  await expect(run(open(loopback.server), job)).rejects.toThrow(/answered 400: .*No such model/)
  expect(loopback.asked()).toEqual(['POST /v1/files', 'POST /v1/transcriptions', 'DELETE /v1/files/f1'])
  loopback.script = { ...spoken, [pollRoute]: failed, 'DELETE /v1/transcriptions/s1': { status: 500 } }
  await expect(run(open(loopback.server), job)).rejects.toThrow('Soniox could not transcribe it: Broken, ….')
  expect(loopback.asked().slice(-2)).toEqual(['DELETE /v1/transcriptions/s1', 'DELETE /v1/files/f1'])
})
