// The settings of a conversation: how long each side waits for the other, and when the call ends.
import type { Setting } from '../setting.ts'

const at = (key: string) => `task_config.${key}`

export const turnSettings: readonly Setting[] = [
  {
    is: 'number',
    path: 'transcriber.endpointing',
    label: 'Silence that ends a turn',
    unit: 'ms',
    usual: 500,
    least: 1,
    help: 'How long the caller has to be silent, if the words sound complete. A vendor that detects turns itself is more patient the longer this is.',
  },
  {
    is: 'choice',
    path: 'api_tools.turn_detection',
    label: 'Who notices that the caller has finished',
    usual: 'the transcriber’s vendor if its model is made for that, else Parley',
    options: { vendor: 'The vendor', parley: 'Parley, by silence and words' },
    help: 'Some models listen to how a sentence ends, so that the answer comes sooner and a pause for thought is waited for.',
  },
  {
    is: 'number',
    path: at('incremental_delay'),
    label: 'Extra wait if unfinished',
    unit: 'ms',
    usual: 900,
    help: 'Added when the words sound as if more will follow.',
  },
  {
    is: 'number',
    path: at('number_of_words_for_interruption'),
    label: 'Words to interrupt',
    unit: 'words',
    usual: 1,
    help: 'A word such as “stop” always does, except with 0: then nobody interrupts the agent.',
  },
  {
    is: 'number',
    path: at('interruption_backoff_period'),
    label: 'Pause after an interruption',
    unit: 'ms',
    usual: 100,
    help: 'How long the agent stays silent then.',
  },
  {
    is: 'flag',
    path: at('optimize_latency'),
    label: 'Think ahead',
    usual: true,
    help: 'Ask the model as soon as the words are stable, and again if they go on: sooner answers for more tokens.',
  },
]

export const fillerSettings: readonly Setting[] = [
  {
    is: 'flag',
    path: at('use_fillers'),
    label: 'Fill pauses early',
    usual: false,
    help: 'Say “let me see” when an answer or a tool takes longer than 0.7 seconds, instead of 3.',
  },
  {
    is: 'flag',
    path: at('backchanneling'),
    label: 'Say “mhm” while listening',
    usual: false,
    help: 'When the caller speaks for long.',
  },
  {
    is: 'number',
    path: at('backchanneling_start_delay'),
    label: 'First “mhm” after',
    unit: 'seconds',
    usual: 5,
    help: 'Of the caller’s speech.',
  },
  {
    is: 'number',
    path: at('backchanneling_message_gap'),
    label: 'Time between two “mhm”',
    unit: 'seconds',
    usual: 5,
    least: 1,
    help: 'At least.',
  },
  {
    is: 'flag',
    path: at('ambient_noise'),
    label: 'Background noise',
    usual: false,
    help: 'A quiet room under the agent’s voice.',
  },
  {
    is: 'choice',
    path: at('ambient_noise_track'),
    label: 'Which room',
    usual: 'Convention hall',
    options: { convention_hall: 'Convention hall', office: 'Office', cafe: 'Café', street: 'Street' },
    help: 'What is heard under the voice.',
  },
]

export const silenceSettings: readonly Setting[] = [
  {
    is: 'flag',
    path: at('check_if_user_online'),
    label: 'Ask whether the caller is still there',
    usual: true,
    help: 'After a silence.',
  },
  {
    is: 'number',
    path: at('trigger_user_online_message_after'),
    label: 'Ask after',
    unit: 'seconds',
    usual: 10,
    help: '0: never.',
  },
  {
    is: 'text',
    path: at('check_user_online_message'),
    label: 'What it asks',
    usual: '“Hey, are you still there”',
    help: '{variables} are filled. Empty: nothing.',
  },
  {
    is: 'number',
    path: at('hangup_after_silence'),
    label: 'Hang up after silence of',
    unit: 'seconds',
    usual: 20,
    help: '0: never.',
  },
]

export const endSettings: readonly Setting[] = [
  {
    is: 'number',
    path: at('call_terminate'),
    label: 'Longest call',
    unit: 'seconds',
    usual: 300,
    help: 'Counted from the answer. 0: no limit.',
  },
  {
    is: 'text',
    path: at('end_call_tool_mode'),
    label: 'The agent may hang up',
    usual: 'it may not',
    blank: null,
    help: 'Any word, such as “on”, lets it hang up when everything is said.',
  },
  {
    is: 'area',
    path: at('call_hangup_message'),
    label: 'Last words',
    usual: 'nothing',
    help: 'Said before it hangs up. {variables} are filled. Texts by language are written in the Advanced tab.',
  },
  {
    is: 'flag',
    path: at('hangup_after_LLMCall'),
    label: 'Ask the model whether it is over',
    usual: false,
    help: 'After each of its answers; if it is, the agent hangs up.',
  },
  {
    is: 'area',
    path: at('call_cancellation_prompt'),
    label: 'The question for that',
    usual: 'a built-in one',
    help: 'What the model is asked.',
  },
  {
    is: 'flag',
    path: at('generate_precise_transcript'),
    label: 'Precise transcript',
    usual: false,
    help: 'Stored, but has no effect: a transcript always has only the words that were played.',
  },
]

const rails = (key: string) => `api_tools.guard_rails.${key}`

export const railSettings: readonly Setting[] = [
  {
    is: 'list',
    path: rails('never_say'),
    label: 'Never say',
    usual: 'nothing',
    placeholder: 'One a line',
    help: 'A sentence with one of these is not spoken.',
  },
  {
    is: 'text',
    path: rails('replacement'),
    label: 'Say instead',
    usual: 'a built-in sentence',
    help: 'In place of such a sentence.',
  },
  {
    is: 'text',
    path: rails('refusal'),
    label: 'Refusal message',
    usual: 'a built-in sentence',
    help: 'Said when somebody asks about a refused topic.',
  },
]

export const recordingSettings: readonly Setting[] = [
  {
    is: 'choice',
    path: rails('recording'),
    label: 'Recording',
    usual: 'every call is recorded',
    options: { on: 'Record every call', off: 'Record nothing', ask: 'Ask first' },
    help: 'Whether calls are recorded.',
  },
  {
    is: 'text',
    path: rails('consent.question'),
    label: 'The question',
    usual: 'a built-in one',
    help: 'Asked before the greeting, if recording is asked for.',
  },
  {
    is: 'text',
    path: rails('consent.refused'),
    label: 'After a no',
    usual: 'a built-in sentence',
    help: 'What the agent says then.',
  },
  {
    is: 'flag',
    path: rails('consent.needs_yes'),
    label: 'Only after a yes',
    usual: false,
    help: 'If off, a caller who says nothing counts as having agreed.',
  },
]

export const memorySettings: readonly Setting[] = [
  {
    is: 'flag',
    path: 'api_tools.memory.enabled',
    label: 'Remember callers',
    usual: false,
    help: 'What the analysis finds in a call is there in the next one, as {last_call_summary}, {caller_facts} and others.',
  },
  {
    is: 'choice',
    path: 'api_tools.memory.scope',
    label: 'What it remembers',
    usual: 'calls with all agents',
    options: { workspace: 'Calls with all agents', agent: 'Its own calls only' },
    help: 'For agents that remember callers.',
  },
]
