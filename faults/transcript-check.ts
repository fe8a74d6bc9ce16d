// The checker: holds transcripts whose processes were killed against the one that nobody disturbed.

export interface TranscriptEvidence {
  readonly transcriptId: string
  readonly status: string
  readonly error: string | null
  /** Attempts, with those that ended in a kill. */
  readonly tries: number
  /** How often a process was killed over it. */
  readonly kills: number
  /** Everything that was found: text, times, speakers. */
  readonly found: string
  /** The name of every note as often as it was written. A piece that was noted is not to be listened to again. */
  readonly noted: readonly string[]
}

export interface TranscriptsEvidence {
  /** What was found in the same sound without a kill. */
  readonly undisturbed: string
  readonly transcripts: readonly TranscriptEvidence[]
  /** Sound of dead processes on the disk, and notes of ended transcripts in the database. */
  readonly leftBehind: readonly string[]
}

export interface TranscriptFindings {
  readonly completed: number
  /** Pieces that were understood before a kill and not again after it. */
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
