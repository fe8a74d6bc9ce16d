// Streams a batch in JSON: recipients several at a time, and everything else at the end.
//
//   {"name": "…", "recipients": [{…}, {…}, … ], "agent_id": "…"}
//    └─ the rest ──────────────┘ └ batches ─┘ └─ the rest ───┘
//
// Only quotes and brackets are tracked here. The recipients between them go to JSON.parse in batches, which is many
// times faster than a parser written in JavaScript.
import { isUtf8 } from 'node:buffer'
import { limits } from '@parley/contract'
import { parseJson } from '../../http/body/body.ts'
import { fail } from '../../http/failure.ts'
import { recipientTooLarge } from './check-row.ts'

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openBrace, closeBrace, openBracket, closeBracket] = [0x7b, 0x7d, 0x5b, 0x5d]

// Bytes with a meaning outside a string.
const special = new Uint8Array(256)
for (const byte of [quote, comma, colon, openBrace, closeBrace, openBracket, closeBracket]) special[byte] = 1

/** The array of recipients is in the outermost object. */
const arrayDepth = 2
// The limit is longer than the key we look for.
const longestKey = 12

export class JsonRows {
  #depth = 0
  #inString = false
  #escaped = false
  #inArray = false
  #seenArray = false
  /** The state in the outermost object: between keys, in a key, or after a key whose value has not begun. */
  #key: 'awaited' | 'recipients' | 'other' = 'awaited'
  #keyBytes: number[] = []
  /** The bytes of the incomplete batch. */
  #carried: Buffer[] = []
  #carriedBytes = 0
  #rowsSeen = false
  readonly #rest: Buffer[] = []
  #restBytes = 0

  /** The recipients that are complete so far. */
  push(chunk: Buffer): unknown[] {
    const rows: unknown[] = []
    for (let at = 0; at < chunk.length; )
      at = this.#inArray ? this.#readArray(chunk, at, rows) : this.#readRest(chunk, at)
    return rows
  }

  /** Everything but the recipients, which are replaced by an empty list. */
  end(): unknown {
    if (this.#inArray) fail('INVALID_JSON')
    return parseJson(Buffer.concat(this.#rest))
  }

  /** Reads up to the list or the end of the chunk, and returns where it stopped. */
  #readRest(chunk: Buffer, from: number): number {
    let at = from
    for (; at < chunk.length && !this.#inArray; at++) {
      const byte = chunk[at] as number
      if (this.#inString) this.#takeInString(byte)
      else if (special[byte] === 1) this.#takeSpecial(byte)
    }
    this.#keep(chunk.subarray(from, at))
    return at
  }

  #takeInString(byte: number): void {
    if (this.#escaped) this.#escaped = false
    else if (byte === backslash) this.#escaped = true
    else if (byte === quote) {
      this.#inString = false
      return
    }
    if (this.#depth === 1 && this.#key === 'awaited' && this.#keyBytes.length <= longestKey)
      this.#keyBytes.push(byte)
  }

  #takeSpecial(byte: number): void {
    if (byte === quote) this.#inString = true
    else if (byte === openBrace || byte === openBracket) {
      if (byte === openBracket && this.#depth === 1 && this.#key === 'recipients') this.#enterArray()
      if (++this.#depth > limits.jsonDepth) tooDeep()
    } else if (byte === closeBrace || byte === closeBracket) this.#depth--
    else if (this.#depth !== 1) return
    else if (byte === comma) this.#key = 'awaited'
    else this.#key = this.#keyName()
  }

  #keyName(): 'recipients' | 'other' {
    const name = String.fromCharCode(...this.#keyBytes)
    this.#keyBytes = []
    return name === 'recipients' ? 'recipients' : 'other'
  }

  #enterArray(): void {
    if (this.#seenArray) fail('INVALID_JSON', { message: 'The key recipients stands there twice.' })
    this.#seenArray = true
    this.#inArray = true
  }

  /**
   * Reads up to the end of the list or of the chunk. Every byte of a long body passes here, so it uses local
   * variables only.
   */
  #readArray(chunk: Buffer, from: number, rows: unknown[]): number {
    let [depth, inString, escaped] = [this.#depth, this.#inString, this.#escaped]
    let [firstComma, lastComma] = [-1, -1]
    let at = from
    for (; at < chunk.length && depth >= arrayDepth; at++) {
      const byte = chunk[at] as number
      if (inString) {
        if (escaped) escaped = false
        else if (byte === backslash) escaped = true
        else if (byte === quote) inString = false
      } else if (special[byte] === 0) continue
      else if (byte === quote) inString = true
      else if (byte === comma) {
        if (depth !== arrayDepth) continue
        if (firstComma < 0) firstComma = at
        lastComma = at
      } else if (byte === openBrace || byte === openBracket) {
        if (++depth > limits.jsonDepth) tooDeep()
      } else if (byte === closeBrace || byte === closeBracket) depth--
    }
    this.#depth = depth
    this.#inString = inString
    this.#escaped = escaped
    // Only the first one can span chunks.
    const firstEnd = firstComma < 0 ? at : firstComma
    if (this.#carriedBytes + firstEnd - from > limits.recipientBytes) recipientTooLarge()
    if (depth < arrayDepth) return this.#leaveArray(chunk, from, at - 1, rows)
    if (lastComma >= 0) rows.push(...this.#parseRows(chunk.subarray(from, lastComma), false))
    this.#carry(chunk.subarray(lastComma >= 0 ? lastComma + 1 : from))
    return at
  }

  /** The closing bracket belongs to the remainder. */
  #leaveArray(chunk: Buffer, from: number, closing: number, rows: unknown[]): number {
    if (chunk[closing] !== closeBracket) fail('INVALID_JSON')
    rows.push(...this.#parseRows(chunk.subarray(from, closing), true))
    this.#inArray = false
    this.#keep(chunk.subarray(closing, closing + 1))
    return closing + 1
  }

  /** Complete recipients separated by commas. Only an empty list may have nothing between its brackets. */
  #parseRows(bytes: Buffer, last: boolean): unknown[] {
    const text = Buffer.concat([...this.#carried, bytes])
    this.#carried = []
    this.#carriedBytes = 0
    if (!isUtf8(text)) fail('INVALID_JSON', { message: 'The body is not UTF-8.' })
    let rows: unknown[]
    try {
      rows = JSON.parse(`[${text}]`)
    } catch (error) {
      fail('INVALID_JSON', { cause: error })
    }
    if (rows.length === 0 && (!last || this.#rowsSeen)) fail('INVALID_JSON')
    this.#rowsSeen = true
    return rows
  }

  #carry(bytes: Buffer): void {
    this.#carriedBytes += bytes.length
    if (bytes.length > 0) this.#carried.push(Buffer.from(bytes))
  }

  #keep(bytes: Buffer): void {
    this.#restBytes += bytes.length
    if (this.#restBytes > limits.bodyBytes)
      fail('PAYLOAD_TOO_LARGE', { message: 'What stands beside the recipients is too long.' })
    if (bytes.length > 0) this.#rest.push(Buffer.from(bytes))
  }
}

const tooDeep = (): never =>
  fail('INVALID_JSON', { message: `The body is nested more than ${limits.jsonDepth} levels deep.` })
