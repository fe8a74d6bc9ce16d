// Long recordings: cut at quiet points, stitched with correct times, sent whole for diarization.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  jobIn,
  type Loopback,
  openLoopback,
  plain,
  run,
} from '../../../../test/props/transcription-vendors/fixture.ts'
import { transcribesRecordings as deepgramTranscription } from '../../deepgram/recordings.ts'
import { transcribesRecordings as openAiTranscription } from '../../openai/recordings.ts'

let loopback: Loopback
beforeAll(async () => {
  loopback = await openLoopback()
})
beforeEach(() => loopback.reset())
afterAll(() => loopback.close())

describe('a long recording', () => {
  it('is sent in pieces cut at quiet points, with correct times', async () => {
    loopback.script = {
      '*': ({ bytes }) => ({
        body: { text: 'Piece.', segments: [{ start: 1, end: bytes.length / 32_000, text: 'Piece.' }] },
      }),
    }
    const vendor = { ...openAiTranscription(loopback.server), mostSeconds: 30 }
    const { job, progress, kept } = await jobIn(loopback.folder, 40, plain)
    const { segments } = await run(vendor, job)
    expect(segments.map(({ startSeconds }) => Math.round(startSeconds))).toEqual([1, 26])
    expect(segments[1]?.endSeconds).toBeCloseTo(40, 1)
    expect(progress.at(-1)).toBe(1)
    // A second attempt requests nothing that is stored.
    loopback.received.length = 0
    const again = await run(vendor, (await jobIn(loopback.folder, 40, plain, kept)).job)
    expect([loopback.received, again.segments]).toEqual([[], segments])
  })

  it('is not cut if diarization was requested', async () => {
    const { job } = await jobIn(loopback.folder, 2, {
      ...plain,
      diarize: { minSpeakers: 1, maxSpeakers: 20 },
    })
    const short = { ...deepgramTranscription(loopback.server), mostSeconds: 1 }
    await expect(run(short, job)).rejects.toThrow(/Deepgram tells speakers apart in .* without diarize/)
    expect(loopback.received).toEqual([])
  })
})

describe('an OpenAI-compatible server', () => {
  it('may return only the text', async () => {
    loopback.script = { '*': { body: { text: 'All of it.' } } }
    const { segments } = await run(
      openAiTranscription(loopback.server),
      (await jobIn(loopback.folder, 2, plain)).job,
    )
    expect(segments).toMatchObject([{ startSeconds: 0, endSeconds: 2, text: 'All of it.', confidence: null }])
    const aligned = await jobIn(loopback.folder, 2, { ...plain, align: true })
    await expect(run(openAiTranscription(loopback.server), aligned.job)).rejects.toThrow(/no times of words/)
  })

  it('is no longer contacted soon after an abort', async () => {
    loopback.script = { '*': 'hang' }
    const stop = new AbortController()
    const stopped = run(
      openAiTranscription(loopback.server),
      (await jobIn(loopback.folder, 2, plain)).job,
      stop.signal,
    )
    await expect.poll(() => loopback.received.length, { interval: 2 }).toBe(1)
    stop.abort(new Error('Aborted by the test.'))
    await expect(stopped).rejects.toThrow('Aborted by the test.')
  })

  it('that is unreachable is reported as such', async () => {
    const away = openAiTranscription({ ...loopback.server, baseUrl: 'http://127.0.0.1:1' })
    const { job } = await jobIn(loopback.folder, 1, plain)
    await expect(run(away, job)).rejects.toThrow(/127.0.0.1:1 does not answer/)
  })

  it('that breaks the connection is not sent the same upload twice', async () => {
    loopback.script = { '*': 'drop' }
    const { job } = await jobIn(loopback.folder, 2, plain)
    await expect(run(openAiTranscription(loopback.server), job)).rejects.toThrow(/does not answer/)
    expect(loopback.received.length).toBe(1)
  })
})
