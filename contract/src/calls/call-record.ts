// What is recorded of a call: its transcript, its latencies, its engines, its line.
import { z } from 'zod'
import { Id, Text } from '../words.ts'

const Source = z
  .strictObject({
    document_id: Id.describe('The document that the passage is from.'),
    chunk_id: Id.describe('The passage, until its document is indexed again.'),
    title: Text.describe('The title of the document.'),
    score: z.number().describe('How well it fitted the caller’s words, from 0 to 1.'),
  })
  .meta({ id: 'Source', description: 'A passage of the knowledge base that an answer is based on.' })

/** A time in seconds from the answer. */
export const TranscriptLine = z
  .strictObject({
    turn: z.int().min(0).describe('How many turns the caller had taken by then; 0: before the first.'),
    role: z.enum(['agent', 'user', 'tool']).describe('Who spoke, or `tool` for the result of a tool.'),
    content: Text.describe(
      'The words that were heard; of an interrupted sentence only those that were played.',
    ),
    start_time: z.number().describe('Seconds from the answer.'),
    end_time: z.number().describe('Seconds from the answer.'),
    interrupted: z.boolean().describe('Whether the other side cut it off.'),
    word_times: z
      .array(z.number())
      .max(10_000)
      .optional()
      .describe(
        'Of the caller’s words in a record: when each began, in seconds from the answer. Words are what white space separates. Left out: the transcriber does not say.',
      ),
    node_id: Text.optional().describe('Where a graph_agent stood. Left out: it is none.'),
    sources: z
      .array(Source)
      .max(50)
      .optional()
      .describe(
        'Of the agent’s words: the passages of the knowledge base that it had for them, best first; empty if none answered. Left out: nothing was looked up.',
      ),
    tool: z
      .strictObject({
        name: Text.describe('The name of the tool.'),
        arguments: z.unknown().describe('What the model called it with.'),
      })
      .optional()
      .describe('The tool whose result this is. Left out: it is speech.'),
  })
  .meta({ id: 'TranscriptLine', description: 'One piece of a conversation.' })
export type TranscriptLine = z.infer<typeof TranscriptLine>

const milliseconds = () => z.number().min(0).nullable()
const parts = {
  endpointing: milliseconds().describe('Milliseconds until it was certain that the caller had finished.'),
  stt: milliseconds().describe("Milliseconds until the caller's last words were recognised."),
  llm: milliseconds().describe(
    'Milliseconds from asking the model to its first words. null: it was not asked.',
  ),
  tts: milliseconds().describe('Milliseconds from the first words to their sound. null: not measured.'),
  total: milliseconds().describe("Milliseconds from the caller's last sound to the agent's first."),
}
const LatencyParts = z.strictObject(parts).meta({
  id: 'LatencyParts',
  description: 'How long each part of an answer took; parts overlap, so they do not add up to the total.',
})
export type LatencyParts = z.infer<typeof LatencyParts>

export const LatencyOfTurn = z
  .strictObject({
    turn: z.int().min(0).describe('The number of the caller’s turn that was answered, counted from 1.'),
    ...parts,
  })
  .describe('How long one answer took.')
export type LatencyOfTurn = z.infer<typeof LatencyOfTurn>

// The most turns of a record, more than the longest call has.
export const mostTurns = 100_000

export const Latency = z
  .strictObject({
    turns: z.array(LatencyOfTurn).max(mostTurns).describe('Every answer to the caller, in order.'),
    p50: LatencyParts.describe('Milliseconds that half of the answers did not exceed, part by part.'),
    p95: LatencyParts.describe('Milliseconds that 95 of 100 answers did not exceed, part by part.'),
  })
  .meta({
    id: 'Latency',
    description: "Milliseconds from the caller's last sound to the agent's first, part by part.",
  })
export type Latency = z.infer<typeof Latency>

const UsageOfModel = z
  .strictObject({
    provider: Text.describe('The vendor, as in `llm_config.provider`; `custom` for a server of your own.'),
    model: Text.describe('The model that answered, as its server names it.'),
    requests: z.int().min(0).describe('How many requests it got.'),
    aborted_requests: z
      .int()
      .min(0)
      .describe(
        'How many of these were ended before the answer was complete, because the caller went on or interrupted. Most servers do not count the tokens of such a request, but charge for them.',
      ),
    input_tokens: z.int().min(0).describe('Tokens that it read, those from a cache included.'),
    output_tokens: z.int().min(0).describe('Tokens that it wrote.'),
    cached_tokens: z.int().min(0).describe('Of those that it read, how many its server had kept.'),
    cache_write_tokens: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Of those that it read, how many its server began to keep, if it charges for that. Absent in records from before they were counted.',
      ),
  })
  .describe('What the requests to one model used, as its server counted.')

const UsageOfSpeech = z
  .strictObject({
    part: z.enum(['transcriber', 'synthesizer']).describe('What the engine did.'),
    name: Text.describe('The vendor or the offline engine, as in `engines`.'),
    seconds: z.number().min(0).describe('Seconds of sound that a transcriber was given; 0 of a synthesizer.'),
    characters: z
      .int()
      .min(0)
      .describe('How many characters a synthesizer was given, as it was given them; 0 of a transcriber.'),
  })
  .describe('What one speech engine was given.')

// The most models of a record: those of an agent and of the operator are a handful.
const mostModels = 1_000

export const Usage = z
  .strictObject({
    stt_seconds: z.number().min(0).describe('Seconds of sound that the transcriber was given.'),
    llm_input_tokens: z
      .int()
      .min(0)
      .describe('Tokens that the language model read, as its server counted them.'),
    llm_output_tokens: z
      .int()
      .min(0)
      .describe('Tokens that the language model wrote, as its server counted them.'),
    tts_characters: z.int().min(0).describe('Characters that the synthesizer was given.'),
    tts_cached_characters: z
      .int()
      .min(0)
      .optional()
      .describe(
        'Characters that were played from what had been synthesized before, and cost nothing. Absent in records from before they were counted.',
      ),
    models: z
      .array(UsageOfModel)
      .max(mostModels)
      .describe(
        'Every language model that was asked, in the order of their first answers; the two sums above are over all of them. Empty: none was, or the record is from before they were told apart.',
      ),
    speech: z
      .array(UsageOfSpeech)
      .max(mostModels)
      .optional()
      .describe(
        'Every transcriber and synthesizer that worked, with what it was given; speech that was kept from an earlier call is not in it. Left out: the record is from before they were told apart.',
      ),
  })
  .describe('What the call used of its engines.')
export type Usage = z.infer<typeof Usage>

export const Engine = z
  .strictObject({
    part: z
      .enum(['transcriber', 'synthesizer', 'language-model', 'analysis'])
      .describe('What the engine was for.'),
    asked: Text.nullable().describe('The vendor or model that the agent names. null: it names none.'),
    used: Text.describe('What did the work.'),
    why: Text.nullable().describe(
      'Why another engine than the one asked for did the work. null: it was the one.',
    ),
  })
  .describe('Which engine did one part of the work.')
export type Engine = z.infer<typeof Engine>

const count = () => z.int().min(0)

const CallQuality = z
  .strictObject({
    packets_received: count().describe('How many packets of sound came from the other side.'),
    packets_lost: count().describe('How many more it had sent.'),
    packets_sent: count().describe('How many packets of sound we sent.'),
    far_loss: z
      .number()
      .nullable()
      .describe(
        'The share of ours that did not arrive, from 0 to 1, by its last report. null: it reports nothing.',
      ),
    jitter_ms: z.number().describe('How unevenly they came (RFC 3550), in milliseconds.'),
    round_trip_ms: z
      .number()
      .nullable()
      .describe('To the other side and back, in milliseconds. null: it reports nothing.'),
    concealed_ms: z.number().describe('How much sound was missing and made up, in milliseconds.'),
    mos: z
      .number()
      .describe('The mean opinion score that follows from all this, from 1 (bad) to 4.5 (perfect).'),
  })
  .meta({ id: 'CallQuality', description: 'How well the sound of a call travelled.' })

export const CallLine = z
  .strictObject({
    codec: Text.nullable().meta({
      description: 'The last codec in use, as in SDP: PCMU/8000. null: never answered.',
    }),
    cause: z
      .strictObject({
        protocol: Text.describe('Whose codes these are: q850 or sip.'),
        code: Text.describe('The code, as in 17.'),
        text: Text.describe('Its meaning, as in User busy.'),
      })
      .nullable()
      .meta({ description: 'How the carrier itself put the end. null: we hung up, or it gave no cause.' }),
    quality: CallQuality.nullable().describe(
      'How well the sound travelled. null: it did not travel, or the carrier does not measure it.',
    ),
    frames_late: count()
      .optional()
      .describe(
        'How many frames of our sound, 20 ms each, left late or not at all because the machine was overloaded. Left out: so few that nobody minded.',
      ),
  })
  .meta({ id: 'CallLine', description: 'What is known of the line that carried the call.' })
export type CallLine = z.infer<typeof CallLine>

export const CallTransfer = z
  .strictObject({
    destination: Text.nullable().describe(
      'The name of the destination in `call_transfer_config`. null: it was none of those.',
    ),
    to: Text.describe('Where the call was to go: a number or a sip: address.'),
    mode: z
      .enum(['cold', 'warm'])
      .describe('warm: the agent spoke to whoever answered before the two were connected.'),
    method: z
      .enum(['blind', 'bridged'])
      .describe('blind: the carrier took over; bridged: both lines were joined here.'),
    outcome: z
      .enum(['completed', 'busy', 'no-answer', 'declined', 'failed'])
      .describe('What came of it; all but completed came back to the caller.'),
    reason: Text.nullable().describe('Why the two were not connected, in one sentence. null: they were.'),
    seconds: z.number().min(0).describe('Seconds from the beginning of the transfer to its outcome.'),
  })
  .meta({ id: 'CallTransfer', description: 'The last transfer that was tried.' })
export type CallTransfer = z.infer<typeof CallTransfer>
