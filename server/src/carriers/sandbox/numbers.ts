// The numbers of the sandbox: which are its own, and which always behave in a particular way.
import type { WrittenScript } from './script-schema.ts'

/** The sandbox's own numbers begin with it. None can be assigned: after 1 and an area code no digit is ever 0. */
export const sandboxPrefix = '+15550'

export const isSandboxNumber = (to: string): boolean => to.startsWith(sandboxPrefix)

/** `metadata.sandbox` overrides these, key by key. Every other number answers and talks. */
const numbers: Readonly<Record<string, WrittenScript>> = {
  '+15550100': {},
  '+15550101': { outcome: 'busy' },
  // As long as most networks let a telephone ring.
  '+15550102': { outcome: 'no_answer', ring_ms: 30_000 },
  '+15550103': { outcome: 'failed' },
  '+15550104': {
    steps: [
      {
        say: 'You have reached the voice mail of Anna Miller. Please leave a message after the tone.',
        after_ms: 400,
      },
      { sound: 'beep', after_ms: 300 },
      // The machine records.
      { stay_silent_ms: 60_000 },
      { hang_up: true },
    ],
    afterwards: 'silence',
  },
  '+15550105': { steps: [{ while_agent_speaks: { after_ms: 700, hang_up: true } }], afterwards: 'silence' },
  '+15550106': { steps: [], afterwards: 'silence' },
  '+15550107': {
    steps: [
      { while_agent_speaks: { after_ms: 600, say: 'Wait a moment, please.' } },
      { say: 'I would like to book a table.' },
      { while_agent_speaks: { after_ms: 600, say: 'No, no, for tomorrow.' } },
      { while_agent_speaks: { after_ms: 900, say: 'Can you repeat that?' } },
      { while_agent_speaks: { after_ms: 600, say: 'Sorry, I have to go. Goodbye.' } },
      { hang_up: true, after_ms: 500 },
    ],
  },
  '+15550108': { noise: { track: 'street', level_db: -30 } },
  // A person who says hello and waits.
  '+15550109': { steps: [{ say: 'Hello?', after_ms: 300 }], afterwards: 'talk' },
  '+15550110': {
    steps: [
      {
        say: 'Hi. If you record your name and reason for calling, I will see if this person is available.',
        after_ms: 500,
      },
      // Long enough for the agent to begin its answer: what it said before the question does not count.
      { stay_silent_ms: 2_500 },
      { say: 'Thank you. Please stay on the line.', wait_for: 'agent_done' },
      { say: 'Hello?', after_ms: 3_000 },
    ],
    afterwards: 'talk',
  },
  '+15550111': {
    steps: [
      { sound: 'information_tones', after_ms: 200 },
      {
        say: 'The number you have dialed is not in service. Please check the number and dial again.',
        after_ms: 300,
      },
      { hang_up: true, after_ms: 1_000 },
    ],
    afterwards: 'silence',
  },
  '+15550112': { outcome: 'rejected' },
  '+15550113': { outcome: 'unreachable' },
  // Targets of transfers: one takes the call, one declines it, one presses a key.
  '+15550114': {
    steps: [{ say: 'Front desk, hello.', after_ms: 300 }, { say: 'Yes, please.' }],
    afterwards: 'talk',
  },
  '+15550115': {
    steps: [{ say: 'Hello?', after_ms: 300 }, { say: 'No, I am busy, not now.' }],
    afterwards: 'silence',
  },
  '+15550116': { steps: [{ say: 'Hello?', after_ms: 300 }, { press: '1' }], afterwards: 'talk' },
  // A menu.
  '+15550117': {
    steps: [
      { say: 'Thank you for calling. For sales, press one. For support, press two.', after_ms: 400 },
      { when_digits: '2', say: 'Support, how can I help you?' },
    ],
    afterwards: 'talk',
  },
  // While the two talk, a second call waits for the callee.
  '+15550118': {
    steps: [
      { say: 'Hello, Anna Miller speaking.', after_ms: 300 },
      { sound: 'call_waiting', after_ms: 600 },
      { say: 'Sorry, that was another call. I would like to make an appointment.' },
    ],
    afterwards: 'talk',
  },
  '+15550119': { outcome: 'no_trunk' },
}

export const scriptOfNumber = (number: string): WrittenScript => numbers[number] ?? {}
