// The numbers of the sandbox: which are its own, and which always behave in a particular way.
import type { WrittenScript } from './script-schema.ts'

/**
 * The sandbox's own numbers begin with it. No network can assign them: after the country code 1 and an area code, the
 * next digit is never 0.
 */
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
}

export const scriptOfNumber = (number: string): WrittenScript => numbers[number] ?? {}
