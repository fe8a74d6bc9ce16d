// How an agent behaves in a call: its `task_config`.
import { z } from 'zod'
import { Text } from '../words.ts'

export const TaskConfig = z
  .strictObject({
    optimize_latency: z
      .boolean()
      .default(true)
      .describe(
        "Ask the model as soon as the caller's words are stable, and discard its answer if they go on: sooner answers for more tokens. false: it is asked once, when the turn has ended.",
      ),
    hangup_after_silence: z
      .int()
      .default(20)
      .describe('Seconds without a word from the caller after which the agent hangs up; 0 or less: never.'),
    incremental_delay: z
      .int()
      .default(900)
      .describe(
        "Milliseconds to wait beyond `transcriber.endpointing` if the caller's words sound unfinished.",
      ),
    number_of_words_for_interruption: z
      .int()
      .default(1)
      .describe(
        'Words that the caller has to say to interrupt the agent. A stop phrase always interrupts, except with 0: then nothing does.',
      ),
    interruption_backoff_period: z
      .int()
      .default(100)
      .describe('Milliseconds that the agent stays silent after it was interrupted.'),
    hangup_after_LLMCall: z
      .boolean()
      .default(false)
      .describe(
        'Ask the model after each of its answers whether the conversation is over, and hang up if it is.',
      ),
    call_cancellation_prompt: Text.nullable()
      .optional()
      .describe('The question that `hangup_after_LLMCall` asks the model. Left out or null: a built-in one.'),
    end_call_tool_mode: Text.nullable()
      .optional()
      .describe(
        'Any word gives the model a tool `end_call` with which it hangs up. Left out or null: it has none.',
      ),
    call_hangup_message: z
      .union([Text, z.record(Text, Text)])
      .nullable()
      .optional()
      .describe(
        'What the agent says before it hangs up: a text, or texts by language code. `{variables}` are filled. Left out or null: nothing.',
      ),
    backchanneling: z
      .boolean()
      .default(false)
      .describe('Whether the agent says "mhm" or "I see" while the caller speaks for long.'),
    backchanneling_message_gap: z.int().default(5).describe('Seconds between two such words; at least 1.'),
    backchanneling_start_delay: z
      .int()
      .default(5)
      .describe('Seconds that the caller has to speak before the first such word.'),
    ambient_noise: z
      .boolean()
      .default(false)
      .describe("Whether a quiet background is mixed under the agent's voice."),
    ambient_noise_track: Text.default('convention_hall').describe(
      'The background: convention_hall, office, cafe or street. Any other name plays convention_hall.',
    ),
    call_terminate: z
      .int()
      .default(300)
      .describe('Seconds after the answer at which the call is ended at the latest; 0 or less: no limit.'),
    use_fillers: z
      .boolean()
      .default(false)
      .describe(
        'Whether the agent says "let me see" when its answer or a tool takes longer than 0.7 seconds, instead of 3.',
      ),
    trigger_user_online_message_after: z
      .int()
      .default(10)
      .describe(
        'Seconds of silence after which the agent asks whether the caller is still there; 0 or less: never.',
      ),
    check_user_online_message: Text.default('Hey, are you still there').describe(
      'What it then asks. `{variables}` are filled; an empty text asks nothing.',
    ),
    check_if_user_online: z.boolean().default(true).describe('Whether it asks at all.'),
    generate_precise_transcript: z
      .boolean()
      .default(false)
      .describe('Kept, not used: a transcript always has only the words that were played.'),
  })
  .describe('How the agent behaves in a call.')
