// The intermediate results of an attempt, saved once a second, so that the next attempt continues from there.
import { type Queries, statement } from '../../platform/db/db.ts'
import type { TranscriptionCheckpoints } from '../../ports/transcription.ts'

const select = statement('SELECT name, content FROM transcript_notes WHERE transcript_id = $1')

// Writes nothing if the transcript was deleted meanwhile.
const upsert = statement(`
  INSERT INTO transcript_notes (transcript_id, name, content)
  SELECT t.transcript_id, note.name, note.content
  FROM unnest($2::text[], $3::text[]) AS note(name, content), transcripts t WHERE t.transcript_id = $1
  ON CONFLICT (transcript_id, name) DO UPDATE SET content = EXCLUDED.content`)

export class Checkpoints implements TranscriptionCheckpoints {
  readonly #db: Queries
  readonly #transcriptId: string
  readonly #known: Map<string, string>
  #fresh = new Map<string, string>()

  constructor(db: Queries, transcriptId: string, known: Map<string, string>) {
    this.#db = db
    this.#transcriptId = transcriptId
    this.#known = known
  }

  static async open(db: Queries, transcriptId: string): Promise<Checkpoints> {
    const rows = await db.rows<{ name: string; content: string }>(select, [transcriptId])
    return new Checkpoints(db, transcriptId, new Map(rows.map(({ name, content }) => [name, content])))
  }

  get(name: string): string | undefined {
    return this.#known.get(name)
  }

  put(name: string, json: string): void {
    this.#known.set(name, json)
    this.#fresh.set(name, json)
  }

  async save(): Promise<void> {
    if (this.#fresh.size === 0) return
    const batch = this.#fresh
    this.#fresh = new Map()
    try {
      await this.#db.rows(upsert, [this.#transcriptId, [...batch.keys()], [...batch.values()]])
    } catch (error) {
      // Kept for the next save; entries added since are newer.
      this.#fresh = new Map([...batch, ...this.#fresh])
      throw error
    }
  }
}
