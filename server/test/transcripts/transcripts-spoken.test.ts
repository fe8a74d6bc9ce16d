// Real speech through the whole service with the offline engine: a file of any format in; words, times, speakers out.
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { moonshine, silero, whisperBase, xvector } from '../../src/engines/models/catalogue.ts'
import { wavHeader } from '../../src/media/wav.ts'
import { clipsAbsent, readClips } from '../props/engines/clips.ts'
import { modelsAtHand } from '../props/engines/models-at-hand.ts'
import { wordErrors } from '../props/engines/word-errors.ts'
import { describeUnless, itUnless } from '../props/unless.ts'
import { boundKey, openService, type TestService } from '../support/service.ts'
import { madeByFfmpeg } from '../support/speech/sounds.ts'

const { folder: models, absent } = await modelsAtHand(
  process.env.PARLEY_MODELS_DIR,
  silero,
  moonshine,
  whisperBase,
  xvector,
)
const skipped = absent ?? clipsAbsent
const noPriorities = process.platform === 'linux' ? undefined : 'only Linux gives each thread a priority'

describeUnless(skipped, 'the whole service', () => {
  let service: TestService
  let folder: string
  beforeAll(async () => {
    // No other thread here has this niceness.
    service = await openService({ PARLEY_MODELS_DIR: models, PARLEY_TRANSCRIBE_NICENESS: '1' })
    folder = await mkdtemp(join(tmpdir(), 'parley-spoken-'))
  })
  afterAll(async () => {
    await service.close()
    await rm(folder, { recursive: true, force: true })
  })

  /** These clips with a second of silence between them, as a file of that format. */
  const spoken = async (kind: string, ...names: string[]) => {
    const clips = names.map((name) => readClips().find((clip) => clip.name === name) ?? expect.fail(name))
    const pause = Buffer.alloc(32_000)
    const pcm = Buffer.concat(
      clips.flatMap(({ samples }) => [
        Buffer.from(samples.buffer, samples.byteOffset, samples.byteLength),
        pause,
      ]),
    )
    const wav = join(folder, 'spoken.wav')
    await writeFile(wav, Buffer.concat([wavHeader({ rateHz: 16_000, channels: 1 }, pcm.length), pcm]))
    const path = await madeByFfmpeg(folder, `spoken.${kind}`, '-i', wav)
    return { content: await readFile(path), said: clips.map(({ said }) => said).join(' ') }
  }

  const transcribe = async (content: Buffer, fields: Record<string, string>) => {
    const form = new FormData()
    for (const [name, value] of Object.entries(fields)) form.set(name, value)
    form.set('file', new Blob([new Uint8Array(content)]))
    const headers = { authorization: boundKey }
    const response = await fetch(`${service.url}/v1/transcripts/sync`, {
      method: 'POST',
      headers,
      body: form,
    })
    // biome-ignore lint/suspicious/noExplicitAny: the shape is what is being tested
    return ((await response.json()) as any).data
  }

  it('transcribes an MP3, with the time of every word', async () => {
    const { content, said } = await spoken('mp3', 'lv_0890', 'lv_0870')
    const transcript = await transcribe(content, { language: 'en', align: 'true' })
    expect(transcript).toMatchObject({ status: 'completed', language: 'en', error: null })
    expect(wordErrors(said, transcript.text).errors).toBeLessThanOrEqual(6)
    const words = transcript.segments.flatMap((segment: { words: object[] }) => segment.words)
    expect(words.length).toBe(transcript.text.split(/\s+/).length)
  })

  it('diarizes two speakers in an MP4, and detects that they speak English', async () => {
    const turns = ['lv_0880', 'cards_005', 'lv_0930', 'cards_002']
    const { content } = await spoken('mp4', ...turns)
    const transcript = await transcribe(content, { diarize: 'true', num_speakers: '2' })
    expect(transcript).toMatchObject({ status: 'completed', language: 'en' })
    expect(transcript.speakers.map(({ speaker }: { speaker: string }) => speaker)).toEqual([
      'SPEAKER_00',
      'SPEAKER_01',
    ])
  })

  itUnless(noPriorities, 'gives way to other programs as far as the operator wants', async () => {
    await transcribe((await spoken('mp3', 'lv_0880')).content, { language: 'en' })
    const tasks = await readdir('/proc/self/task')
    const stats = await Promise.all(
      tasks.map((task) => readFile(`/proc/self/task/${task}/stat`, 'utf8').catch(() => '')),
    )
    // The 17th field after the name in brackets.
    const niceness = stats.map((stat) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
    // The tests themselves may have a lower priority.
    expect(niceness).toContain(String(Math.max(1, getPriority())))
  })

  it('refuses options that the engine does not support, by name', async () => {
    const { body } = await service.bare('POST', '/v1/transcripts', {
      headers: { authorization: boundKey },
      body: { file_id: '99999999-9999-4999-8999-999999999999', language: 'xx', keyterms: ['Ada'] },
    })
    expect(body.code).toBe('OPTION_NOT_SERVED')
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['language', 'keyterms'])
    expect(body.details[0].message).toContain('embedded engine')
  })
})
