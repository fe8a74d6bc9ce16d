// Diarization errors in conversations assembled from clips of real people and synthetic voices.
import { findPauses } from '../server/src/engines/alignment/word-times.ts'
import { floats } from '../server/src/engines/features/floats.ts'
import { moonshine, silero, xvector } from '../server/src/engines/models/catalogue.ts'
import { pronunciation } from '../server/src/engines/models/kokoro.ts'
import type { WrenVoice } from '../server/src/engines/wren/voices.ts'
import type { TranscriptionOptions } from '../server/src/ports/transcription.ts'
import { overTelephone, resampled } from '../server/test/props/engines/clips.ts'
import { diarizationError, type SpeakerTurn } from '../server/test/props/engines/diarization-error.ts'
import { printIfMain, type Row } from './row.ts'
import { spokenPlace } from './speech-bounds.ts'
import { openTimedVoice } from './timed-speech.ts'
import { openTranscriptionFixture, type TranscriptionFixture } from './transcription-fixture.ts'

// In rotation, so that each follows each.
const gapsMs = [200, 450, 300, 700]
const rateHz = 16_000
const breathMs = 250
const shortestTurnMs = 500

interface Conversation {
  readonly name: string
  readonly samples: Int16Array
  readonly turns: readonly SpeakerTurn[]
}

type SpeechBounds = NonNullable<TranscriptionOptions['diarize']>
type Sounds = readonly Int16Array[]

/** The speakers' sentences alternately, until one has none left. */
function conversation(name: string, speakers: readonly Sounds[]): Conversation {
  const rounds = Math.min(...speakers.map(({ length }) => length))
  const turns: SpeakerTurn[] = []
  const parts: Int16Array[] = []
  let [atMs, count] = [0, 0]
  for (let round = 0; round < rounds; round++)
    speakers.forEach((sounds, speaker) => {
      const sound = sounds[round] ?? new Int16Array()
      const { fromMs, toMs } = spokenPlace(sound, rateHz)
      turns.push({ speaker, fromMs: atMs + fromMs, toMs: atMs + toMs })
      const gapMs = gapsMs[count++ % gapsMs.length] ?? 0
      const part = new Int16Array(sound.length + gapMs * 16)
      part.set(sound)
      parts.push(part)
      atMs += part.length / 16
    })
  const samples = new Int16Array(parts.reduce((sum, { length }) => sum + length, 0))
  let at = 0
  for (const part of parts) {
    samples.set(part, at)
    at += part.length
  }
  return { name, samples, turns }
}

async function conversations({ clips, folder }: TranscriptionFixture): Promise<Conversation[]> {
  const voice = await openTimedVoice({ folder })
  const by = (start: string): Sounds =>
    clips.filter(({ name }) => name.startsWith(start)).map(({ samples }) => samples)
  const jfk = byBreath(by('jfk')[0] ?? new Int16Array())
  const synthetic = async (name: WrenVoice) => {
    const spoken: Int16Array[] = []
    for (const { said } of clips.slice(0, 5)) spoken.push((await voice.say(said, name)).samples)
    return spoken
  }
  const [heart, michael, fenrir] = [
    await synthetic('heart'),
    await synthetic('michael'),
    await synthetic('fenrir'),
  ]
  await voice.close()
  const [one, two, reader] = [by('sb_spk1'), by('sb_spk2'), by('lv_')]
  const telephoned = (sounds: Sounds): Sounds =>
    sounds.map((sound) => resampled(overTelephone(sound), 8_000, rateHz))
  return [
    // The thresholds were tuned on these conversations.
    conversation('two people', [one, two]),
    conversation('two people, a reader', [reader, one]),
    conversation('two people, a speech', [jfk, two]),
    conversation('two synthetic voices', [heart, michael]),
    conversation('three people', [one, two, reader]),
    conversation('three people, a speech', [jfk, reader, one]),
    conversation('three synthetic voices', [heart, michael, fenrir]),
    conversation('one person', [reader]),
    // These conversations were assembled after the tuning.
    conversation('two other people', [two, reader]),
    conversation('two other people, a speech', [jfk, one]),
    conversation('two people on the telephone', [telephoned(one), telephoned(two)]),
    conversation('three people on the telephone', [telephoned(one), telephoned(two), telephoned(reader)]),
    conversation('another person', [two]),
  ]
}

/** One long clip, cut at the speaker's pauses. */
function byBreath(samples: Int16Array): Sounds {
  const pauses = findPauses(floats(samples))
  const breaths = pauses.filter(({ fromMs, toMs }) => toMs - fromMs >= breathMs)
  const cuts = [0, ...breaths.map(({ fromMs, toMs }) => ((fromMs + toMs) / 2) * 16), samples.length]
  const parts = cuts.slice(1).map((to, place) => samples.slice(cuts[place], to))
  return parts.filter(({ length }) => length >= shortestTurnMs * 16)
}

/** The words are recognised once; only the diarization is repeated. */
async function heardTurns(
  fixture: TranscriptionFixture,
  { samples }: Conversation,
  { bounds, notes }: { bounds: SpeechBounds; notes: Map<string, string> },
): Promise<SpeakerTurn[]> {
  const { segments } = await fixture.transcribe(samples, { diarize: bounds }, notes)
  return segments.map(({ startSeconds, endSeconds, speaker }) => ({
    speaker: speaker ?? -1,
    fromMs: startSeconds * 1000,
    toMs: endSeconds * 1000,
  }))
}

const countOf = (turns: readonly SpeakerTurn[]) => new Set(turns.map(({ speaker }) => speaker)).size
const percent = (rate: number) => `${(100 * rate).toFixed(1)} %`

async function measure(): Promise<Row[]> {
  const fixture = await openTranscriptionFixture([silero, moonshine, xvector, pronunciation])
  if (!fixture) return []
  const rows: Row[] = []
  for (const talk of await conversations(fixture)) {
    const people = countOf(talk.turns)
    const notes = new Map<string, string>()
    const free = await heardTurns(fixture, talk, { bounds: { minSpeakers: 1, maxSpeakers: 20 }, notes })
    const told = await heardTurns(fixture, talk, {
      bounds: { minSpeakers: people, maxSpeakers: people },
      notes,
    })
    rows.push({
      claim: `diarization error, ${talk.name}, ${(talk.samples.length / rateHz).toFixed(0)} s`,
      measured: `${percent(diarizationError(talk.turns, free))}, ${countOf(free)} found; their number given: ${percent(diarizationError(talk.turns, told))}`,
      yardstick: `who said what when it was put together: ${people}`,
      ratio: '–',
      target: 'none',
      verdict: 'no target',
    })
  }
  await fixture.close()
  return rows
}

await printIfMain(import.meta.url, measure)
