// Files that are not what they should be: each has its clear refusal, and nothing that they name is ever opened.
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from './support/receiver.ts'
import { containers, madeByFfmpeg, soundIn, toneWav } from './support/speech/sounds.ts'
import { openSpeechStage, type SpeechStage } from './support/speech/stage.ts'

let stage: SpeechStage
let canary: Receiver
let folder: string
beforeAll(async () => {
  canary = await openReceiver()
  folder = await mkdtemp(join(tmpdir(), 'parley-sounds-'))
  // Trusted, so that nothing but the decoder's own confinement keeps the canary quiet.
  stage = await openSpeechStage({ PARLEY_TRUSTED_HOSTS: new URL(canary.url).host })
})
afterAll(async () => {
  await stage.close()
  expect(canary.received.map(({ path }) => path)).toEqual([])
  await canary.close()
  await rm(folder, { recursive: true, force: true })
})

describe('every container that ffmpeg reads', () => {
  it.each(Object.keys(containers))('%s', async (name) => {
    const { body } = await stage.form('/transcripts/sync', await soundIn(folder, name))
    expect(body.data).toMatchObject({ status: 'completed', text: expect.stringMatching(/^one two/) })
    expect(body.data.duration).toBeGreaterThan(1.8)
    expect(body.data.duration).toBeLessThan(2.4)
  })
})

describe('what is no recording', () => {
  const refusal = async (content: Buffer) => {
    const { status, body } = await stage.upload(content, 'audio/mpeg')
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
    const { body } = await stage.form('/transcripts/sync', toneWav(0))
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

  it('calls itself audio and is a playlist behind an ID3 tag', async () => {
    const tag = Buffer.from([0x49, 0x44, 0x33, 4, 0, 0, 0, 0, 0, 0])
    const hidden = Buffer.concat([tag, text('#EXTM3U', '#EXTINF:1,', canary.url)])
    const { status, body } = await stage.upload(hidden, 'application/vnd.apple.mpegurl')
    expect([status, body.code]).toEqual([400, 'NOT_AUDIO'])
  })
})

describe('what is cut off', () => {
  const outcome = async (content: Buffer): Promise<string> => {
    const { body } = await stage.form('/transcripts/sync', content)
    return body.code === 'NOT_AUDIO' ? body.message : `${body.data.status}: ${body.data.error}`
  }
  const half = (content: Buffer) => content.subarray(0, Math.floor(content.length / 2))

  it('a WAV says how much is missing', async () => {
    expect(await outcome(half(toneWav(10)))).toContain('cut off: it says 10.0 seconds and holds 5.0')
  })
  it('a FLAC does too', async () => {
    expect(await outcome(half(await soundIn(folder, 'tone.flac', 10)))).toMatch(/cut off/)
  })
  it('an MP4 without its index cannot be read at all', async () => {
    expect(await outcome(half(await soundIn(folder, 'tone.m4a', 10)))).toMatch(/damaged, cut off/)
  })
  it('a header alone is no recording', async () => {
    expect(await outcome((await soundIn(folder, 'tone.ogg')).subarray(0, 60))).toMatch(
      /damaged|no sound|no audio/,
    )
  })
})

describe('what is too much', () => {
  it('24 hours of silence are refused at the door, small as they are', async () => {
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
    // One frame lasts 72 ms and has 72 bytes; the first few begin the encoder.
    const frame = mp3.subarray(5 * 72, 6 * 72)
    const day = Buffer.alloc(Math.ceil(86_400 / 0.072) * 72, frame)
    const { status, body } = await stage.upload(day)
    expect([status, body.message]).toEqual([400, expect.stringContaining('longer than 10 hours')])
  })

  it('a small file that says a second and holds more than an hour is given up while it is decoded', async () => {
    const strict = await openSpeechStage({ PARLEY_SPEECH_MAX_HOURS: '1' })
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

  it('a file that says little and holds an address for more opens no address', async () => {
    const mov = await soundIn(folder, 'film.mov')
    // A QuickTime reference to media elsewhere: its kind is url, and it is not in this file.
    const reference = Buffer.concat([
      Buffer.from('url \0\0\0\0', 'latin1'),
      Buffer.from(canary.url),
      Buffer.from([0]),
    ])
    const at = mov.indexOf('url \0\0\0\x01', 0, 'latin1')
    const forged =
      at < 0 ? mov : Buffer.concat([mov.subarray(0, at), reference, mov.subarray(at + reference.length)])
    await writeFile(join(folder, 'forged.mov'), forged)
    const { status } = await stage.form('/transcripts/sync', forged)
    expect([200, 400]).toContain(status)
  })
})
