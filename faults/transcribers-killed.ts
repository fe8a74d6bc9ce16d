// Disaster: kill -9 during transcriptions with the offline engine. Each resumes from its checkpoints, and ends with the
// same result as without a kill.
//   node faults/transcribers-killed.ts [transcripts]
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import {
  checkTranscripts,
  isClean,
  type TranscriptEvidence,
  type TranscriptFindings,
} from './transcript-check.ts'
import { openTranscriptFixture, type TranscriptFixture } from './transcript-fixture.ts'

const defaultTranscripts = 5
// Kills of each transcript: a third one would give the file up, as intended.
const killsOfEach = 2
// The length of a recording, about a dozen pieces: enough that a kill finds some stored and some not.
const defaultSeconds = 120
const pollMs = 20
// The longest wait: many times what a transcript takes on one slow core.
const patienceMs = 240_000

export interface FaultReport extends TranscriptFindings {
  readonly kills: number
}

export interface Disaster {
  readonly transcripts: number
  readonly seconds?: number
  readonly killsOfEach?: number
  say(line: string): void
}

/** Returns a sentence if weights or clips are missing. */
export async function killTranscribers(disaster: Disaster): Promise<FaultReport | string> {
  const fixture = await openTranscriptFixture()
  if (typeof fixture === 'string') return fixture
  const { transcripts, seconds = defaultSeconds, killsOfEach: kills = killsOfEach, say } = disaster
  try {
    const fileId = await fixture.upload(seconds)
    const undisturbed = (await transcribed(fixture, fileId, 0)).found
    const evidence: TranscriptEvidence[] = []
    for (let nth = 1; nth <= transcripts; nth++) {
      evidence.push(await transcribed(fixture, fileId, kills))
      say(`${nth} transcripts, ${nth * kills} kills`)
    }
    const leftBehind = await fixture.leftBehind()
    return {
      ...checkTranscripts({ undisturbed, transcripts: evidence, leftBehind }),
      kills: transcripts * kills,
    }
  } finally {
    await fixture.close()
  }
}

async function transcribed(
  fixture: TranscriptFixture,
  fileId: string,
  kills: number,
): Promise<TranscriptEvidence> {
  const body = { file_id: fileId, language: 'en', align: true }
  const { transcript_id: id } = await fixture.speech.create(body)
  for (let kill = 1; kill <= kills; kill++) {
    await whenMoreIsNoted(fixture, id)
    await fixture.kill()
    await fixture.start()
  }
  const signal = AbortSignal.timeout(patienceMs)
  await fixture.speech.wait(id, { signal }).catch((error) => {
    if (!signal.aborted) throw error
  })
  return fixture.evidenceOf(id, kills)
}

async function whenMoreIsNoted(fixture: TranscriptFixture, id: string): Promise<void> {
  const before = await fixture.notesOf(id)
  while ((await fixture.notesOf(id)) === before) {
    const { completed_at } = await fixture.speech.get(id)
    if (completed_at !== null)
      throw new Error('it was over before it could be disturbed: take a longer recording')
    await sleep(pollMs)
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const startedAt = Date.now()
  const transcripts = Number(process.argv[2] ?? defaultTranscripts)
  const outcome = await killTranscribers({ transcripts, say: console.error })
  if (typeof outcome === 'string') console.log(`skipped: ${outcome}`)
  else {
    console.log(`${outcome.kills} times kill -9 in the middle of a transcription`)
    console.log(`transcripts completed ${outcome.completed}, pieces noted ${outcome.kept}`)
    console.log(`${Math.round((Date.now() - startedAt) / 1000)} s in all`)
    for (const complaint of outcome.complaints) console.log(complaint)
    console.log(
      `lost ${outcome.lost}, different ${outcome.different}, listened to again ${outcome.repeated}, ` +
        `left behind ${outcome.leftBehind}`,
    )
    if (!isClean(outcome)) process.exitCode = 1
  }
}
