// Uploads of recordings: raw or in a form, limited in size, and without leftovers when they break off.
import { readdir } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { boundKey } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

let fixture: TranscriptionFixture
beforeAll(async () => {
  fixture = await openTranscriptionFixture({ PARLEY_UPLOAD_MAX_MB: '1' })
})
afterAll(() => fixture.close())

describe('a file', () => {
  it('is uploaded as a raw body, and described in the response', async () => {
    const { status, body } = await fixture.upload(toneWav(1.5), 'application/octet-stream')
    expect(status).toBe(201)
    expect(body.data).toMatchObject({ filename: null, bytes: 48_044, media_type: 'audio/wav', duration: 1.5 })
    expect(Date.parse(body.data.expires_at) - Date.parse(body.data.created_at)).toBe(7 * 86_400_000)
    const read = await fixture.speak('GET', `/files/${body.data.file_id}`)
    // The link is made anew, and valid for as long from then on.
    const url = expect.stringContaining(`/files/${body.data.file_id}/content?`)
    expect(read.body).toEqual({ ...body, data: { ...body.data, url } })
  })

  it('is uploaded in a form, and keeps its name', async () => {
    const { status, body } = await fixture.form('/files', toneWav(1))
    expect(status).toBe(201)
    expect(body.data.filename).toBe('sound.bin')
  })

  it('is refused when it is too large, in a form and raw, and leaves nothing behind', async () => {
    const before = await fixture.stored()
    for (const reply of [await fixture.upload(toneWav(60)), await fixture.form('/files', toneWav(60))]) {
      expect([reply.status, reply.body.code]).toEqual([400, 'PAYLOAD_TOO_LARGE'])
      expect(reply.body.message).toContain('1 MB')
    }
    expect(await fixture.stored()).toEqual(before)
  })

  it('is alone in its form: other fields are refused by name, as elsewhere, and nothing is stored', async () => {
    const before = await fixture.stored()
    const paths = (body: { details: { path: string }[] }) => body.details.map(({ path }) => path)
    const { status, body } = await fixture.form('/files', toneWav(1), { language: 'en', colour: 'red' })
    expect([status, body.code, paths(body)]).toEqual([400, 'VALIDATION_ERROR', ['language', 'colour']])
    const sync = await fixture.form('/transcripts/sync', toneWav(1), { colour: 'red' })
    expect([sync.status, sync.body.code, paths(sync.body)]).toEqual([400, 'VALIDATION_ERROR', ['colour']])
    expect(await fixture.stored()).toEqual(before)
  })

  it('is required in a form, and JSON is refused', async () => {
    const form = await fixture.form('/files', undefined, { language: 'en' })
    expect([form.status, form.body.code]).toEqual([400, 'VALIDATION_ERROR'])
    const json = await fixture.speak('POST', '/files', { body: {} })
    expect([json.status, json.body.code]).toEqual([400, 'UNSUPPORTED_CONTENT_TYPE'])
  })

  it('is gone from disk and database when it is deleted', async () => {
    const fileId = await fixture.fileOf(toneWav(1))
    expect(await fixture.stored()).toContain(fileId)
    const { status, body } = await fixture.speak('DELETE', `/files/${fileId}`)
    expect([status, body.data]).toEqual([200, { file_id: fileId, deleted: true }])
    expect(await fixture.stored()).not.toContain(fileId)
    expect(await fixture.database.query('SELECT 1 FROM speech_files WHERE file_id = $1', [fileId])).toEqual(
      [],
    )
    expect((await fixture.speak('GET', `/files/${fileId}`)).body.code).toBe('FILE_NOT_FOUND')
    expect((await fixture.speak('DELETE', `/files/${fileId}`)).status).toBe(404)
  })

  it('is deleted after it has expired', async () => {
    const fileId = await fixture.fileOf(toneWav(1))
    await fixture.database.query('UPDATE speech_files SET expires_at = now() WHERE file_id = $1', [fileId])
    expect((await fixture.speak('GET', `/files/${fileId}`)).status).toBe(404)
    const wish = await fixture.speak('POST', '/transcripts', { body: { file_id: fileId } })
    expect([wish.status, wish.body.code]).toEqual([404, 'FILE_NOT_FOUND'])
    // Deleting any other file starts the sweep.
    await fixture.speak('DELETE', `/files/${await fixture.fileOf(toneWav(1))}`)
    expect(await fixture.stored()).not.toContain(fileId)
  })
})

describe('an upload that breaks off', () => {
  it.each([
    ['raw', 'content-type: audio/wav'],
    ['in a form', 'content-type: multipart/form-data; boundary=b'],
  ])('%s leaves nothing behind', async (_name, type) => {
    const incoming = join(fixture.dataDir, 'uploads', 'incoming')
    const socket = connect(Number(new URL(fixture.url).port), '127.0.0.1')
    const begin = '--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n'
    socket.write(
      `POST /v1/files HTTP/1.1\r\nhost: x\r\nauthorization: ${boundKey}\r\n${type}\r\ncontent-length: 900000\r\n\r\n`,
    )
    socket.write(Buffer.concat([Buffer.from(type.includes('multipart') ? begin : ''), Buffer.alloc(100_000)]))
    await expect.poll(async () => (await readdir(incoming)).length).toBe(1)
    socket.destroy()
    await expect.poll(() => readdir(incoming)).toEqual([])
    expect(fixture.log.filter((line) => line.includes('request failed'))).toEqual([])
  })
})
