// The checker of transcripts compares transcripts whose processes were killed with an undisturbed one.

export interface TranscriptEvidence {
  readonly transcriptId: string
  readonly status: string
  readonly error: string | null
  /** Attempts, including those ended by a kill. */
  readonly tries: number
  /** How often its process was killed. */
  readonly kills: number
  /** The whole result: text, times, speakers. */
  readonly found: string
  /** The name of every checkpoint, once per write. A stored piece must not be transcribed again. */
  readonly noted: readonly string[]
}

export interface TranscriptsEvidence {
  /** The result for the same audio without a kill. */
  readonly undisturbed: string
  readonly transcripts: readonly TranscriptEvidence[]
  /** Audio of dead processes on disk, and checkpoints of ended transcripts in the database. */
  readonly leftBehind: readonly string[]
}

export interface TranscriptFindings {
  readonly completed: number
  /** Pieces transcribed before a kill and not again after it. */
  readonly kept: number
  readonly lost: number
  readonly different: number
  readonly repeated: number
  readonly leftBehind: number
  readonly complaints: readonly string[]
}

export function checkTranscripts({
  undisturbed,
  transcripts,
  leftBehind,
}: TranscriptsEvidence): TranscriptFindings {
  const lost = transcripts.filter(({ status, tries, kills }) => status !== 'completed' || tries !== kills + 1)
  const different = transcripts.filter(({ found }) => found !== undisturbed)
  const repeated = transcripts.flatMap(({ transcriptId, noted }) =>
    noted
      .filter((name, at) => noted.indexOf(name) !== at)
      .map((name) => `${name} of ${transcriptId} was listened to again`),
  )
  return {
    completed: transcripts.filter(({ status }) => status === 'completed').length,
    kept: transcripts.reduce((sum, { noted }) => sum + new Set(noted).size, 0),
    lost: lost.length,
    different: different.length,
    repeated: repeated.length,
    leftBehind: leftBehind.length,
    complaints: [
      ...lost.map(
        ({ transcriptId, status, error, tries, kills }) =>
          `${transcriptId} is ${status} after ${tries} tries and ${kills} kills: ${error}`,
      ),
      ...different.map(({ transcriptId }) => `${transcriptId} says something else than it should`),
      ...repeated,
      ...leftBehind.map((what) => `left behind: ${what}`),
    ],
  }
}

export const isClean = ({ complaints }: TranscriptFindings): boolean => complaints.length === 0
