// Transcript callbacks: signed, retried, and independent per receiver.
import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openReceiver, type Receiver } from '../support/receiver.ts'
import { workspaceId } from '../support/service.ts'
import { toneWav } from '../support/speech/sounds.ts'
import {
  openTranscriptionFixture,
  type TranscriptionFixture,
} from '../support/speech/transcription-fixture.ts'

// More than are ever in flight, and as many as are sent to one receiver at a time.
const [waiting, mostPerLane] = [300, 16]

let fixture: TranscriptionFixture
let outside: Receiver
beforeAll(async () => {
  outside = await openReceiver()
  fixture = await openTranscriptionFixture({
    PARLEY_TRUSTED_HOSTS: new URL(outside.url).host,
    PARLEY_WEBHOOK_BACKOFF_SECONDS: '0.05',
  })
})
afterAll(async () => {
  await fixture.close()
  await outside.close()
})

describe('a callback', () => {
  it('reports the end of a transcript, signed, with three attempts', async () => {
    outside.answers.push(500, 302)
    const { body: secret } = await fixture.speak('GET', '/callback-secret')
    const { body } = await fixture.speak('POST', '/transcripts', {
      body: { file_id: await fixture.fileOf(toneWav(1)), callback_url: outside.url, metadata: { a: 1 } },
    })
    await expect.poll(() => outside.received.length).toBe(3)
    const [first, , last] = outside.received
    expect(JSON.parse(last?.body ?? '')).toMatchObject({
      type: 'transcript.completed',
      data: { transcript_id: body.data.transcript_id, status: 'completed', metadata: { a: 1 }, duration: 1 },
    })
    expect(last?.body).toBe(first?.body)
    const at = last?.headers['x-svc-timestamp']
    const digest = createHmac('sha256', secret.data.secret).update(`${at}.${last?.body}`).digest('hex')
    expect(last?.headers).toMatchObject({
      'x-svc-event': 'transcript.completed',
      'x-svc-webhook-id': body.data.transcript_id,
      'x-svc-delivery-id': first?.headers['x-svc-delivery-id'],
      'x-svc-signature': `t=${at},v1=${digest}`,
    })
    await expect.poll(() => fixture.database.query('SELECT 1 FROM transcript_callbacks')).toEqual([])
  })

  it('is signed with the new secret after a rotation', async () => {
    const before = (await fixture.speak('GET', '/callback-secret')).body.data.secret
    const rotated = (await fixture.speak('POST', '/callback-secret/rotate')).body.data.secret
    expect(rotated).toMatch(/^whsec_/)
    expect(rotated).not.toBe(before)
    expect((await fixture.speak('GET', '/callback-secret')).body.data.secret).toBe(rotated)
  })

  it('to a receiver that never answers does not delay the others', async () => {
    const slow = await openReceiver()
    slow.answers.push(...Array.from({ length: waiting }, () => -1))
    const patient = await openTranscriptionFixture({
      PARLEY_TRUSTED_HOSTS: [slow, outside].map(({ url }) => new URL(url).host).join(),
      // On a busy machine the first ones would be over before the end, and others sent in their place.
      PARLEY_WEBHOOK_TIMEOUT_SECONDS: '600',
    })
    await patient.database.query(
      `INSERT INTO transcript_callbacks (delivery_id, transcript_id, workspace_id, url, lane, payload)
       SELECT gen_random_uuid(), gen_random_uuid(), $1, $2, 'slow', '{"type":"transcript.completed"}'
       FROM generate_series(1, ${waiting})`,
      [workspaceId, slow.url],
    )
    await expect.poll(() => slow.received.length).toBe(mostPerLane)
    const before = outside.received.length
    await patient.speak('POST', '/transcripts', {
      body: { file_id: await patient.fileOf(toneWav(1)), callback_url: outside.url },
    })
    await expect.poll(() => outside.received.length).toBe(before + 1)
    expect(slow.received).toHaveLength(mostPerLane)
    await patient.database.query('DELETE FROM transcript_callbacks WHERE claimed_by IS NULL')
    await slow.close()
    await patient.close()
  })
})
