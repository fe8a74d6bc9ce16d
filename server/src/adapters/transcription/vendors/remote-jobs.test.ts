// Vendors with asynchronous jobs: polling, retries, and resuming after a crash.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { slow } from '../../../../test/props/transcription-vendors/slow.ts'
import {
  apiKey,
  hasty,
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  run,
} from '../../../../test/props/transcription-vendors/stage.ts'

const often = { interval: 2 }
let stage: Loopback
beforeAll(async () => {
  stage = await openLoopback()
})
beforeEach(() => stage.reset())
afterAll(() => stage.close())

describe.each(slow)('$name', (dialect) => {
  const vendor = () => dialect.open(stage.server)
  const done = [dialect.spoken[dialect.look]].flat().at(-1)
  const looking = (...replies: unknown[]) => ({ ...dialect.spoken, [dialect.look]: replies as never })
  const looks = () => stage.asked().filter((what) => what === dialect.look).length
  const orders = () => stage.asked().filter((what) => dialect.order.includes(what))

  it('is polled until the job is done, with a single submission', async () => {
    const { working } = dialect
    stage.script = looking(working, working, working, done)
    const { job, progress } = await jobIn(stage.folder, 2, plain)
    expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
    expect([looks(), orders()]).toEqual([4, dialect.order])
    expect(new Set(progress).size).toBeGreaterThan(4)
  })

  it('may rate-limit, fail or be unreachable for a while', async () => {
    const busy = { status: 429, headers: { 'retry-after': '1' } }
    const { working } = dialect
    stage.script = looking(busy, { status: 503 }, 'drop', working, 'drop', done)
    const { job } = await jobIn(stage.folder, 2, plain)
    expect((await run(vendor(), job)).segments.length).toBeGreaterThan(0)
    expect([looks(), orders()]).toEqual([6, dialect.order])
  })

  it('that keeps failing is given up, and the next attempt resumes the job', async () => {
    stage.script = looking({ status: 503, body: { error: 'down' } })
    const { job, kept } = await jobIn(stage.folder, 2, plain)
    await expect(run(vendor(), job)).rejects.toThrow(/answered 503: .*down/)
    expect(looks()).toBe(4)
    stage.script = looking(done)
    const again = await jobIn(stage.folder, 2, plain, kept)
    expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
    expect(orders()).toEqual(dialect.order)
  })

  it('that never finishes is given up after the time limit', async () => {
    stage.script = looking(dialect.working)
    const { job } = await jobIn(stage.folder, 2, plain)
    const { signal } = new AbortController()
    const endless = run(vendor(), job, signal, { ...hasty, patienceMs: () => 30 })
    await expect(endless).rejects.toThrow(/has not finished after a minute\./)
  })

  it('that refuses a poll is quoted at once', async () => {
    stage.script = looking({ status: 403, body: { error: `Not with ${apiKey}.` } })
    const { job } = await jobIn(stage.folder, 2, plain)
    await expect(run(vendor(), job)).rejects.toThrow(/answered 403: .*Not with …\./)
    expect(looks()).toBe(1)
  })

  it('that fails is quoted without the key, and the next attempt submits again', async () => {
    stage.script = looking(dialect.failed)
    const { job, kept } = await jobIn(stage.folder, 2, plain)
    const failure = run(vendor(), job)
    await expect(failure).rejects.toThrow(/could not transcribe it: ./)
    await expect(failure).rejects.not.toThrow(apiKey)
    stage.script = looking(done)
    await run(vendor(), (await jobIn(stage.folder, 2, plain, kept)).job)
    expect(orders()).toEqual([...dialect.order, ...dialect.order])
  })

  it('is no longer contacted soon after an abort, and the job is resumed after a crash', async () => {
    const stop = new AbortController()
    stage.script = { ...dialect.spoken, [dialect.look]: [dialect.working, 'hang'] }
    const { job, kept } = await jobIn(stage.folder, 2, plain)
    const stopped = run(vendor(), job, stop.signal)
    await expect.poll(looks, often).toBe(2)
    stop.abort(new Error('Aborted by the test.'))
    await expect(stopped).rejects.toThrow('Aborted by the test.')

    stage.script = looking(done)
    const again = await jobIn(stage.folder, 2, plain, kept)
    expect((await run(vendor(), again.job)).segments.length).toBeGreaterThan(0)
    expect(orders()).toEqual(dialect.order)

    // A stored result is not requested again.
    stage.heard.length = 0
    await run(vendor(), (await jobIn(stage.folder, 2, plain, kept)).job)
    expect(stage.asked()).toEqual([])
  })

  it('that has lost the job gets it submitted again', async () => {
    stage.script = { ...dialect.spoken, [dialect.look]: 'hang' }
    const stop = new AbortController()
    const { job, kept } = await jobIn(stage.folder, 2, plain)
    const stopped = run(vendor(), job, stop.signal)
    await expect.poll(looks, often).toBe(1)
    stop.abort()
    await expect(stopped).rejects.toThrow()
    let asked = 0
    const gone = { status: 404, body: { error: 'not found' } }
    stage.script = { ...dialect.spoken, [dialect.look]: () => (asked++ === 0 ? gone : (done as never)) }
    await run(vendor(), (await jobIn(stage.folder, 2, plain, kept)).job)
    expect(orders()).toEqual([...dialect.order, ...dialect.order])
  })
})

const dialectOf = (name: string) => {
  const dialect = slow.find((one) => one.name === name)
  if (!dialect) throw new Error(`${name} has no dialect.`)
  return dialect
}

it('a Gladia transcript without the requested diarization counts as failed', async () => {
  const { open, spoken, look } = dialectOf('Gladia')
  const diarization = { success: false, error: { message: 'Too many voices.' } }
  stage.script = { ...spoken, [look]: { body: { status: 'done', result: { diarization } } } }
  const wishes = { ...plain, diarize: { minSpeakers: 1, maxSpeakers: 20 } }
  const { job } = await jobIn(stage.folder, 2, wishes)
  await expect(run(open(stage.server), job)).rejects.toThrow(
    'Gladia could not transcribe it: Too many voices.',
  )
})

it('Soniox files are deleted after a refused or failed transcription', async () => {
  const { open, spoken, look, failed } = dialectOf('Soniox')
  const refused = { status: 400, body: { message: 'No such model.' } }
  stage.script = { ...spoken, 'POST /v1/transcriptions': refused }
  const { job } = await jobIn(stage.folder, 2, plain)
  await expect(run(open(stage.server), job)).rejects.toThrow(/answered 400: .*No such model/)
  expect(stage.asked()).toEqual(['POST /v1/files', 'POST /v1/transcriptions', 'DELETE /v1/files/f1'])
  stage.script = { ...spoken, [look]: failed, 'DELETE /v1/transcriptions/s1': { status: 500 } }
  await expect(run(open(stage.server), job)).rejects.toThrow('Soniox could not transcribe it: Broken, ….')
  expect(stage.asked().slice(-2)).toEqual(['DELETE /v1/transcriptions/s1', 'DELETE /v1/files/f1'])
})
