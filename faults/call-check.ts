// The checker of calls compares the acknowledged calls with what was run, recorded and published.

export interface CallRow {
  readonly sessionId: string
  readonly finished: boolean
  readonly hangupReason: string | null
}

/** One start of a call, recorded by the process that ran it. */
export interface CallStart {
  readonly sessionId: string
  readonly pid: number
}

export interface CallEvidence {
  /** Session ids of the calls that the API acknowledged. */
  readonly acknowledged: ReadonlySet<string>
  readonly rows: readonly CallRow[]
  readonly runs: readonly CallStart[]
  /** The session of every published event. */
  readonly told: readonly string[]
  readonly killed: ReadonlySet<number>
  /** Sessions whose recording is still as its dead writer left it. */
  readonly unmended: readonly string[]
}

export interface CallFindings {
  readonly acknowledged: number
  /** Calls that ended as scripted. */
  readonly completed: number
  /** Calls that ended because their process died. */
  readonly workerLost: number
  /** Calls that were acknowledged but not recorded, ended but not published, or neither run nor given up. */
  readonly lost: number
  /** Calls that were run or published twice. */
  readonly doubled: number
  readonly unended: number
  /** Calls that were given up although its process was not killed. */
  readonly unexplained: number
  readonly unmended: number
  /** The first few faults, in words. */
  readonly complaints: readonly string[]
}

// How many faults are told in words: enough to see a pattern.
const mostComplaints = 20

export function checkCalls(evidence: CallEvidence): CallFindings {
  const { acknowledged, rows, runs, told, killed, unmended } = evidence
  const wrong = { lost: 0, doubled: 0, unended: 0, unexplained: 0 }
  const complaints: string[] = []
  const complain = (kind: keyof typeof wrong, sentence: string) => {
    wrong[kind]++
    if (complaints.length < mostComplaints) complaints.push(`${kind}: ${sentence}`)
  }
  const rowOf = new Map(rows.map((row) => [row.sessionId, row]))
  const runsOf = Map.groupBy(runs, ({ sessionId }) => sessionId)
  const tellings = Map.groupBy(told, (sessionId) => sessionId)

  for (const sessionId of acknowledged) {
    if (!rowOf.has(sessionId)) complain('lost', `call ${sessionId} is not recorded`)
  }
  for (const { sessionId, finished, hangupReason } of rows) {
    const begun = runsOf.get(sessionId) ?? []
    const tellingsOf = tellings.get(sessionId)?.length ?? 0
    if (begun.length > 1) complain('doubled', `call ${sessionId} was run ${begun.length} times`)
    if (tellingsOf > 1) complain('doubled', `call ${sessionId} was told ${tellingsOf} times`)
    if (!finished) complain('unended', `call ${sessionId} never ended`)
    else if (tellingsOf === 0) complain('lost', `call ${sessionId} was never told`)
    const givenUp = hangupReason === 'worker_lost'
    if (finished && !givenUp && begun.length === 0)
      complain('lost', `call ${sessionId} ended without being run`)
    if (givenUp && begun.some(({ pid }) => !killed.has(pid))) {
      complain('unexplained', `call ${sessionId} was given up while its process lived`)
    }
  }
  const ended = (reason: string) => rows.filter(({ hangupReason }) => hangupReason === reason).length
  return {
    acknowledged: acknowledged.size,
    completed: ended('user_hangup'),
    workerLost: ended('worker_lost'),
    ...wrong,
    unmended: unmended.length,
    complaints: [...complaints, ...unmended.map((id) => `unmended: the recording of ${id}`)],
  }
}

export const isClean = ({ lost, doubled, unended, unexplained, unmended }: CallFindings): boolean =>
  lost + doubled + unended + unexplained + unmended === 0
