// Invalid and hostile files: each is refused with a clear reason, and nothing that they reference is opened.
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { containers, indexBomb, madeByFfmpeg, soundIn, toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let canary: Receiver
let folder: string
beforeAll(async () => {
  canary = await openReceiver()
  folder = await mkdtemp(join(tmpdir(), 'parley-sounds-'))
  // Trusted, so that only the decoder's own confinement protects the canary.
  fixture = await openTranscriptionFixture({ PARLEY_TRUSTED_HOSTS: new URL(canary.url).host })
})
afterAll(async () => {
  await fixture.close()
  expect(canary.received.map(({ path }) => path)).toEqual([])
  await canary.close()
  await rm(folder, { recursive: true, force: true })
})

it('the canary notices if a reference in a playlist is opened', async () => {
  const list = join(folder, 'list.txt')
  await writeFile(list, `file '${canary.url}'\n`)
  const unconfined = [
    '-v',
    'quiet',
    '-protocol_whitelist',
    'file,http,tcp',
    '-f',
    'concat',
    '-safe',
    '0',
    list,
  ]
  await expect(promisify(execFile)('ffprobe', unconfined)).rejects.toThrow()
  expect(canary.received.splice(0)).not.toEqual([])
})

describe('every container that ffmpeg reads', () => {
  it.each(Object.keys(containers))('%s', async (name) => {
    const { body } = await fixture.form('/transcripts/sync', await soundIn(folder, name))
    expect(body.data).toMatchObject({ status: 'completed', text: expect.stringMatching(/^one two/) })
    expect(body.data.duration).toBeGreaterThan(1.8)
    expect(body.data.duration).toBeLessThan(2.4)
  })
})

describe('a file is refused if it', () => {
  const refusal = async (content: Buffer) => {
    const { status, body } = await fixture.upload(content, 'audio/mpeg')
    expect([status, body.code]).toEqual([400, 'NOT_AUDIO'])
    return body.message as string
  }
  const text = (...lines: string[]) => Buffer.from(`${lines.join('\n')}\n`)

  it('is empty', async () => expect(await refusal(Buffer.alloc(0))).toContain('empty'))
  it('is text', async () => expect(await refusal(text('hello there'))).toContain('not a recording'))
  it('is noise', async () => {
    const noise = Buffer.from(Array.from({ length: 5_000 }, (_, at) => (at * 7919) % 251))
    expect(await refusal(noise)).toMatch(/not a recording/)
  })
  it('is an archive', async () =>
    expect(await refusal(Buffer.from('PK\x03\x04 and files', 'latin1'))).toContain('an archive'))
  it('is a picture', async () =>
    expect(
      await refusal(
        await readFile(
          await madeByFfmpeg(
            folder,
            'p.png',
            '-f',
            'lavfi',
            '-i',
            'color=size=16x16:duration=1',
            '-frames:v',
            '1',
          ),
        ),
      ),
    ).toContain('picture'))
  it('is a film without sound', async () =>
    expect(
      await refusal(
        await readFile(
          await madeByFfmpeg(folder, 'mute.mp4', '-f', 'lavfi', '-i', 'color=size=32x32:duration=1'),
        ),
      ),
    ).toContain('no audio track'))
  it('has a length of zero', async () => {
    const { body } = await fixture.form('/transcripts/sync', toneWav(0))
    expect(body.message ?? body.data.error).toMatch(/zero|no sound|damaged/)
  })

  it.each([
    [
      'an HLS playlist of addresses',
      () => text('#EXTM3U', '#EXT-X-TARGETDURATION:1', '#EXTINF:1,', canary.url),
    ],
    [
      'an HLS playlist of files',
      () => text('#EXTM3U', '#EXT-X-TARGETDURATION:1', '#EXTINF:1,', 'file:///etc/passwd'),
    ],
    [
      'an HLS playlist behind a byte order mark and blanks',
      () => text('\ufeff \n\n#EXTM3U', '#EXTINF:1,', canary.url),
    ],
    ['an ffconcat script', () => text('ffconcat version 1.0', `file '${canary.url}'`)],
    ['a PLS playlist', () => text('[playlist]', `File1=${canary.url}`)],
    ['a session description', () => text('v=0', 'c=IN IP4 127.0.0.1', 'm=audio 5004 RTP/AVP 0')],
    ['a DASH manifest', () => text('<?xml version="1.0"?>', `<MPD><BaseURL>${canary.url}</BaseURL></MPD>`)],
  ])('is %s', async (_name, content) => {
    expect(await refusal(content())).toMatch(/playlist|description of other files/)
  })

  it('is declared as audio but is a playlist behind an ID3 tag', async () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0])
    const hidden = Buffer.concat([tag, text('#EXTM3U', '#EXTINF:1,', canary.url)])
    const { status, body } = await fixture.upload(hidden, 'application/vnd.apple.mpegurl')
    expect([status, body.code]).toEqual([400, 'NOT_AUDIO'])
  })
})

describe('a truncated file', () => {
  const outcome = async (content: Buffer): Promise<string> => {
    const { body } = await fixture.form('/transcripts/sync', content)
    return body.code === 'NOT_AUDIO' ? body.message : `${body.data.status}: ${body.data.error}`
  }
  const half = (content: Buffer) => content.subarray(0, Math.floor(content.length / 2))

  const made = async (name: string, ...args: string[]) =>
    readFile(await madeByFfmpeg(folder, name, '-f', 'lavfi', '-i', 'sine=duration=10', ...args))

  it.each<[string, () => Promise<Buffer>]>([
    ['a WAV', async () => toneWav(10)],
    ['a FLAC', () => soundIn(folder, 'tone.flac', 10)],
    ['an MP3 with a header', () => soundIn(folder, 'tone.mp3', 10)],
    ['an MP4 with its index first', () => made('index-first.m4a', '-movflags', '+faststart')],
    ['a WebM', () => soundIn(folder, 'tone.webm', 10)],
    ['a film in Matroska', () => soundIn(folder, 'film.mkv', 10)],
  ])('%s is refused with how much is missing', async (_name, whole) => {
    expect(await outcome(half(await whole()))).toMatch(/cut off: it says 10\.0 seconds and holds [345]\./)
  })

  it.each(['tone.ogg', 'tone.opus'])(
    '%s, which has no declared length, is refused for its incomplete last page',
    async (name) => {
      expect(await outcome(half(await soundIn(folder, name, 10)))).toContain('its last page is not whole')
    },
  )

  it('an MP4 without its index cannot be read at all', async () => {
    expect(await outcome(half(await soundIn(folder, 'tone.m4a', 10)))).toMatch(/damaged, cut off/)
  })

  it.each<[string, () => Promise<Buffer>]>([
    ['raw AAC', () => soundIn(folder, 'tone.aac', 10)],
    ['an MP3 without a header', () => made('bare.mp3', '-write_xing', '0')],
  ])('%s looks like a shorter recording, and is transcribed as far as it goes', async (_name, whole) => {
    const { body } = await fixture.form('/transcripts/sync', half(await whole()))
    expect(body.data).toMatchObject({ status: 'completed', text: 'one two three four five' })
  })

  it('with nothing but a header is refused', async () => {
    expect(await outcome((await soundIn(folder, 'tone.ogg')).subarray(0, 60))).toMatch(
      /damaged|no sound|no audio/,
    )
  })
})

describe('a file that expands too far', () => {
  it('with 24 hours of silence is refused at upload, however small', async () => {
    const second = [
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=8000:cl=mono',
      '-t',
      '1',
      '-b:a',
      '8k',
      '-write_xing',
      '0',
    ]
    const mp3 = await readFile(await madeByFfmpeg(folder, 'second.mp3', ...second, '-id3v2_version', '0'))
    // One frame lasts 72 ms and has 72 bytes; the first few are the encoder's start-up.
    const frame = mp3.subarray(5 * 72, 6 * 72)
    const day = Buffer.alloc(Math.ceil(86_400 / 0.072) * 72, frame)
    const { status, body } = await fixture.upload(day)
    expect([status, body.message]).toEqual([400, expect.stringContaining('longer than 10 hours')])
  })

  it('with an index that unpacks to gigabytes is refused, and the service keeps running', async () => {
    const { status, body } = await fixture.upload(indexBomb())
    expect([status, body.code]).toEqual([400, 'NOT_AUDIO'])
    expect((await fixture.upload(toneWav(1))).status).toBe(201)
  })

  it('that declares a second and contains more than an hour is refused while it is decoded', async () => {
    const strict = await openTranscriptionFixture({ PARLEY_SPEECH_MAX_HOURS: '1' })
    const path = await madeByFfmpeg(
      folder,
      'bomb.flac',
      '-f',
      'lavfi',
      '-i',
      'anullsrc=r=8000:cl=mono',
      '-t',
      '4000',
    )
    const bomb = await readFile(path)
    // STREAMINFO: the last 36 of these bits are the number of samples.
    bomb[21] = (bomb[21] ?? 0) & 0xf0
    bomb.writeUInt32BE(8_000, 22)
    expect(bomb.length).toBeLessThan(1_000_000)
    expect((await strict.upload(bomb)).body.data.duration).toBe(1)
    const { body } = await strict.form('/transcripts/sync', bomb)
    expect(body.data).toMatchObject({
      status: 'failed',
      error: expect.stringContaining('longer than 1 hour '),
    })
    expect(strict.engine.jobs).toEqual([])
    await strict.close()
  })

  it('that references media at another address opens no address', async () => {
    const mov = await soundIn(folder, 'film.mov')
    // A QuickTime data reference of type url, with media outside this file.
    const reference = Buffer.concat([
      Buffer.from('url \0\0\0\0', 'latin1'),
      Buffer.from(canary.url),
      Buffer.from([0]),
    ])
    const at = mov.indexOf('url \0\0\0\x01', 0, 'latin1')
    expect(at).toBeGreaterThan(0)
    const forged = Buffer.concat([mov.subarray(0, at), reference, mov.subarray(at + reference.length)])
    await writeFile(join(folder, 'forged.mov'), forged)
    const { status } = await fixture.form('/transcripts/sync', forged)
    expect([200, 400]).toContain(status)
  })
})
