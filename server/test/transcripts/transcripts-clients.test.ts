// The speech-to-text service over the client library and the command line, and its OpenAPI document.
import { execFile } from 'node:child_process'
import { openAsBlob } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { transcriptOperations } from '@parley/contract'
import { ParleyError, SpeechToText } from '@parley/sdk'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTranscriptionServer, type TranscriptionServer } from '../props/servers/transcription-server.ts'
import { boundKey } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
let service: SpeechToText
let folder: string
let recording: string
beforeAll(async () => {
  fixture = await openTranscriptionFixture()
  service = new SpeechToText({ baseUrl: `${fixture.url}/v1`, apiKey: boundKey })
  folder = await mkdtemp(join(tmpdir(), 'parley-clients-'))
  recording = join(folder, 'three.wav')
  await writeFile(recording, toneWav(3))
})
afterAll(async () => {
  await fixture.close()
  await rm(folder, { recursive: true, force: true })
})

describe('the client library', () => {
  it('uploads, waits with progress, reads every format, and deletes', async () => {
    const shares: number[] = []
    const transcript = await service.transcribe(
      await openAsBlob(recording),
      { filename: 'three.wav', align: true },
      { onProgress: (share) => shares.push(share) },
    )
    expect(transcript).toMatchObject({ status: 'completed', text: 'one two three' })
    expect(shares.at(-1)).toBe(1)
    const { transcript_id: id, file_id: fileId } = transcript
    expect((await service.file(fileId ?? '')).filename).toBe('three.wav')
    expect(await service.text(id)).toBe('one two three\n')
    expect(await service.text(id, 'srt')).toContain('00:00:02,000 --> 00:00:02,500\nthree')
    expect((await service.list({ limit: 1 })).data[0]?.transcript_id).toBe(id)
    expect(await service.delete(id)).toEqual({ transcript_id: id, deleted: true })
    await expect(service.get(id)).rejects.toThrow(ParleyError)
  })

  it('waits in one request', async () => {
    const { file_id } = await service.upload(await openAsBlob(recording))
    expect((await service.createAndWait({ file_id })).text).toBe('one two three')
    await expect(service.deleteFile(file_id)).resolves.toEqual({ file_id, deleted: true })
  })

  it('passes on refusals in the words of the service', async () => {
    await expect(service.upload(new Blob(['hello']))).rejects.toMatchObject({
      status: 400,
      code: 'NOT_AUDIO',
    })
  })
})

describe('parley transcribe', () => {
  const command = fileURLToPath(new URL('../../bin/parley.mjs', import.meta.url))
  const parley = (env: Record<string, string>, ...args: string[]) =>
    new Promise<{ code: number; out: string; err: string }>((resolve) =>
      execFile(
        process.execPath,
        [command, ...args],
        { env: { PATH: process.env.PATH, ...env }, cwd: folder },
        (error, out, err) => resolve({ code: error ? Number(error.code) : 0, out, err }),
      ),
    )

  it('transcribes at a service, and leaves nothing there', async () => {
    const { code, out, err } = await parley(
      {},
      'transcribe',
      recording,
      '--srt',
      '--server',
      `${fixture.url}/v1`,
      '--key',
      boundKey,
    )
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out).toContain('1\n00:00:00,000 --> 00:00:00,500\none\n')
    expect((await service.list()).data.map(({ status }) => status)).not.toContain('processing')
  })

  it('transcribes locally without a database, with the engine from the environment', async () => {
    const server: TranscriptionServer = await openTranscriptionServer('Hello from the server.')
    const file = join(folder, 'out.vtt')
    const env = { PARLEY_STT_BASE_URL: server.url, PARLEY_STT_API_KEY: 'sk-secret' }
    const { code, err } = await parley(env, 'transcribe', 'three.wav', '--vtt', '--output', file)
    await server.close()
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(await readFile(file, 'utf8')).toBe(
      'WEBVTT\n\n00:00:00.000 --> 00:00:03.000\nHello from the server.\n\n',
    )
    expect(server.keys).toEqual(['Bearer sk-secret'])
  })

  it('says what is wrong', async () => {
    const broken = join(folder, 'broken.mp3')
    await writeFile(broken, 'this is no sound')
    const bad = await parley({}, 'transcribe', broken)
    expect([bad.code, bad.err]).toEqual([1, expect.stringContaining('not a recording')])
    const language = await parley({}, 'transcribe', recording, '--language', 'english, please')
    expect([language.code, language.err]).toEqual([1, expect.stringContaining('language')])
    const absent = await parley({}, 'transcribe', join(folder, 'absent.wav'))
    expect([absent.code, absent.err]).toEqual([1, expect.stringContaining('absent.wav')])
  })
})

describe('the OpenAPI document', () => {
  interface Document {
    openapi: string
    servers: { url: string }[]
    paths: Record<string, Record<string, { operationId: string }>>
  }
  const read = async () => fixture.bare('GET', '/v1/openapi.json')

  it('lists exactly the operations that exist', async () => {
    const document = (await read()).body as Document
    expect(document.servers.map(({ url }) => url)).toEqual(['/v1'])
    const listed = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    )
    expect(listed.toSorted()).toEqual(
      transcriptOperations.map(({ method, path }) => `${method} ${path}`).toSorted(),
    )
    for (const { method, path } of transcriptOperations) {
      const at = path.replace('{id}', '99999999-9999-4999-8999-999999999999')
      expect((await fixture.speak(method, at)).body.code, path).not.toBe('ROUTE_NOT_FOUND')
    }
  })
})
