// SQL that builds the body of a call's event from the call `c` and its analytics `a`, spaced like json_build_object.
//
// It is concatenated from text: json_build_object looks up the type of every value in every row, which takes twice as
// long. A test compares the result with the contract.

/** Literal text, or an SQL expression of type text. */
type Piece = { readonly text: string } | { readonly sql: string }

const pieces = object({
  id: quoted('c.event_id'),
  type: [{ text: '"call.completed"' }],
  created_at: quoted(`(SELECT ${iso('now()')})`),
  data: object({
    session_id: quoted('c.session_id'),
    agent_id: quoted('c.agent_id'),
    call_status: json('c.call_status'),
    to_phone_number: json('c.to_phone_number'),
    call_type: json('c.call_type'),
    duration: json('c.duration'),
    call_sid: json('c.call_sid'),
    call_initiated_time: time('c.call_initiated_time'),
    call_completed_time: time('c.call_completed_time'),
    call_terminated_by: json('c.call_terminated_by'),
    transcript: orNull('c.transcript::text'),
    recording: object({
      url: orNull(`(c.recording->'url')::text`),
      expiry: orNull(`(c.recording->'expiry')::text`),
    }),
    analytics: object({
      summary: orNull('a.summary::text'),
      sentiment: orNull('a.sentiment::text'),
      disposition: orNull('a.disposition::text'),
      data_extraction: orNull('a.data_extraction::text'),
    }),
  }),
})

export const eventBody = concatenated(pieces)

/** The columns of the call that the body is made of. */
export const columnsOfBody = `
  c.session_id, c.agent_id, c.call_status, c.to_phone_number, c.call_type, c.duration, c.call_sid, c.call_initiated_time,
  c.call_completed_time, c.call_terminated_by, c.transcript, c.recording, c.analytics`

function object(members: Record<string, Piece[]>): Piece[] {
  const listed = Object.entries(members).flatMap(([name, value], nth) => [
    { text: `${nth === 0 ? '' : ', '}"${name}" : ` },
    ...value,
  ])
  return [{ text: '{' }, ...listed, { text: '}' }]
}

/** Text that needs no escaping. */
function quoted(sql: string): Piece[] {
  return [{ text: '"' }, { sql: `${sql}::text` }, { text: '"' }]
}

function json(value: string): Piece[] {
  return orNull(`to_json(${value})::text`)
}

function time(value: string): Piece[] {
  return orNull(`'"' || ${iso(value)} || '"'`)
}

function orNull(sql: string): Piece[] {
  return [{ sql: `coalesce(${sql}, 'null')` }]
}

/** Formatted like Date.toISOString(). */
function iso(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`
}

/** Adjacent literals are one. In halves: from left to right, every step would copy the whole text again. */
function concatenated(all: readonly Piece[]): string {
  const merged: string[] = []
  let literal = ''
  const flush = () => {
    if (literal) merged.push(`'${literal.replaceAll("'", "''")}'`)
    literal = ''
  }
  for (const piece of all) {
    if ('text' in piece) literal += piece.text
    else {
      flush()
      merged.push(piece.sql)
    }
  }
  flush()
  return halved(merged)
}

function halved(texts: readonly string[]): string {
  if (texts.length === 1) return texts.join()
  const middle = texts.length >> 1
  return `(${halved(texts.slice(0, middle))} || ${halved(texts.slice(middle))})`
}
