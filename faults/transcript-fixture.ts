// A service with the offline engine, a long recording, and what its transcripts leave in the database and on disk.
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { apiKey, type Child, makeHome, startService } from '../bench/service-process.ts'
import { strungTogether } from '../bench/transcription-fixture.ts'
import { SpeechToText } from '../sdk/src/index.ts'
import { moonshine, silero } from '../server/src/engines/models/catalogue.ts'
import { wavHeader } from '../server/src/media/wav.ts'
import { openDb, statement } from '../server/src/platform/db/db.ts'
import { clipsAbsent, readClips } from '../server/test/props/engines/clips.ts'
import { modelsAtHand } from '../server/test/props/engines/models-at-hand.ts'
import type { TranscriptEvidence } from './transcript-check.ts'

export interface TranscriptFixture {
  readonly speech: SpeechToText
  /** Uploads a recording of this length. */
  upload(seconds: number): Promise<string>
  start(): Promise<void>
  kill(): Promise<void>
  notesOf(transcriptId: string): Promise<number>
  evidenceOf(transcriptId: string, kills: number): Promise<TranscriptEvidence>
  leftBehind(): Promise<string[]>
  close(): Promise<void>
}

const gapMs = 400

// A trigger records every write of a checkpoint, so that a second write shows.
const witness = [
  statement('CREATE TABLE note_writes (transcript_id uuid, name text)'),
  statement(`CREATE FUNCTION witness_note() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN INSERT INTO note_writes VALUES (NEW.transcript_id, NEW.name); RETURN NULL; END $$`),
  statement(`CREATE TRIGGER witness AFTER INSERT OR UPDATE ON transcript_notes
    FOR EACH ROW EXECUTE FUNCTION witness_note()`),
]
const selectWrites = statement('SELECT name FROM note_writes WHERE transcript_id = $1')
const selectRow = statement('SELECT status, error, tries FROM transcripts WHERE transcript_id = $1')
const selectLeft = statement('SELECT transcript_id, name FROM transcript_notes')

/** Returns a sentence if weights or clips are missing. */
export async function openTranscriptFixture(): Promise<TranscriptFixture | string> {
  const { folder, absent } = await modelsAtHand(process.env.PARLEY_MODELS_DIR, silero, moonshine)
  const missing = absent ?? clipsAbsent
  if (missing) return missing
  const home = await makeHome()
  const env = {
    PARLEY_MODELS_DIR: folder,
    PARLEY_ROLES: 'api,speech',
    // One thread: slow enough to be killed in the middle.
    PARLEY_TRANSCRIBE_THREADS: '1',
    // Ordinary priority: with the lowest one a transcript would wait for hours beside other work on the machine.
    PARLEY_TRANSCRIBE_NICENESS: '0',
  }
  const open = (): Promise<Child> => startService(home, { env })
  let service = await open()
  const db = openDb({ host: join(home.dataDir, 'run'), user: 'parley', database: 'postgres' }, 2, () => {})
  for (const step of witness) await db.rows(step)
  const speech = new SpeechToText({ baseUrl: `${home.url}/v1`, apiKey })
  const writesOf = async (transcriptId: string) =>
    (await db.rows<{ name: string }>(selectWrites, [transcriptId])).map(({ name }) => name)

  return {
    speech,
    async upload(seconds) {
      const { file_id } = await speech.upload(new Blob([recordingOf(seconds)]))
      return file_id
    },
    async start() {
      service = await open()
    },
    kill: () => service.kill(),
    notesOf: async (transcriptId) => (await writesOf(transcriptId)).length,
    async evidenceOf(transcriptId, kills) {
      const row = await db.row<{ status: string; error: string | null; tries: number }>(selectRow, [
        transcriptId,
      ])
      const { text, segments } = await speech.get(transcriptId)
      return {
        transcriptId,
        status: row?.status ?? 'gone',
        error: row?.error ?? null,
        tries: row?.tries ?? 0,
        kills,
        found: JSON.stringify({ text, segments }),
        noted: await writesOf(transcriptId),
      }
    },
    async leftBehind() {
      const folders = await readdir(join(home.dataDir, 'speech')).catch(() => [])
      const inside = await Promise.all(folders.map((name) => readdir(join(home.dataDir, 'speech', name))))
      const notes = await db.rows<{ transcript_id: string; name: string }>(selectLeft)
      return [
        ...inside.flat().map((name) => `the sound of ${name}`),
        ...notes.map(({ transcript_id, name }) => `note ${name} of ${transcript_id}`),
      ]
    },
    async close() {
      await db.close()
      await service.stop()
      await home.remove()
    },
  }
}

function recordingOf(seconds: number): Uint8Array<ArrayBuffer> {
  const clips = readClips().filter(({ said }) => said !== '')
  const once = strungTogether(
    clips.map(({ samples }) => samples),
    gapMs,
  )
  const times = Math.ceil((seconds * 16_000) / once.length)
  const whole = strungTogether(
    Array.from({ length: times }, () => once),
    0,
  ).subarray(0, seconds * 16_000)
  const pcm = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength)
  return new Uint8Array(Buffer.concat([wavHeader({ rateHz: 16_000, channels: 1 }, pcm.length), pcm]))
}
