// The parts of a short call that ends by itself, with a fault in one method of one port.
//
// The callee answers, hears the greeting, asks something, and hears the answer, for which a tool is called; the model
// then judges that the call is over. If the agent does not hang up, the callee does after eight seconds. Where keys are
// to be pressed or the callee is to be transferred for the fault, the model asks for that instead.
import type { CallParts } from '../../../src/call/session.ts'
import { type Frame, makeFrame, type RateHz } from '../../../src/media/frame.ts'
import type { CallUpdate } from '../../../src/ports/call.ts'
import type { LanguageModel, ModelPart, ToolCall } from '../../../src/ports/language-model.ts'
import type { Consultation, Line, LineListener, TransferResult } from '../../../src/ports/line.ts'
import type { SynthesisEvent, Synthesizer } from '../../../src/ports/synthesizer.ts'
import type { Transcriber, TranscriptEvent } from '../../../src/ports/transcriber.ts'
import type { VoiceDetector } from '../../../src/ports/voice-detector.ts'

export const faultKinds = ['throws', 'rejects', 'throws later', 'throws when aborted'] as const
export type FaultKind = (typeof faultKinds)[number]

/** The method that fails, and how; without `at` nothing fails. */
export interface Fault {
  readonly at?: string
  readonly kind?: FaultKind
}

export interface FaultListener {
  onUpdate(update: CallUpdate): void
  /** The fault was triggered. */
  onBroken(): void
}

interface Break {
  /** Called first in every method. Undefined: the method continues normally. */
  (at: string, signal?: AbortSignal): unknown
  /**
   * Resolves when a fault that comes later has come: on a busy machine the whole call would be over before its timer.
   */
  fallen: Promise<void>
}

function breakerFor({ at: broken, kind }: Fault, { onBroken }: FaultListener): Break {
  const breaks: Break = (at, signal) => {
    if (at !== broken) return undefined
    onBroken()
    const error = new Error(`Broken: ${at}.`)
    const fail = () => {
      throw error
    }
    if (kind === 'rejects') return Promise.reject(error)
    if (kind === 'throws later') {
      const { promise, resolve } = Promise.withResolvers<void>()
      breaks.fallen = promise
      setTimeout(() => {
        resolve()
        fail()
      }, 1)
    } else if (kind === 'throws when aborted') signal?.addEventListener('abort', fail)
    else fail()
    return undefined
  }
  breaks.fallen = Promise.resolve()
  return breaks
}

const rateHz: RateHz = 8_000
const heardAfterFrames = 40
const spokenFrames = 25
const patienceFrames = 400

export function faultyParts(fault: Fault, told: FaultListener): CallParts {
  const breaks = breakerFor(fault, told)
  return {
    connect: (listener) => faultyLine(breaks, fault, listener, told),
    transcriber: faultyTranscriber(breaks),
    synthesizer: faultySynthesizer(breaks, fault),
    voice: 'test',
    detector: faultyDetector(breaks, fault, told),
    model: faultyModel(breaks, fault),
    tools: {
      get descriptions() {
        breaks('tools.descriptions')
        return [{ name: 'look', description: 'Looks.', parameters: { type: 'object' } }]
      },
      waitingWords: () => breaks('tools.waitingWords') as undefined,
      run: (_call, signal) => (breaks('tools.run', signal) ?? Promise.resolve('Found.')) as Promise<string>,
    },
    recording: () => {
      breaks('recording.open')
      return {
        write: () => breaks('recording.write') as undefined,
        close: () => (breaks('recording.close') ?? Promise.resolve()) as Promise<void>,
        flushed: () => Promise.resolve(),
        discard: () => Promise.resolve(),
      }
    },
    ambience: () => {
      breaks('ambience.open')
      const quiet = makeFrame(rateHz)
      return () => (breaks('ambience.frame') ?? quiet) as Frame
    },
    engines: [],
    speechUsage: () => (breaks('speechUsage') ?? []) as [],
    release: () => breaks('release') as undefined,
    onUpdate: (update) => (breaks('onUpdate') ?? told.onUpdate(update)) as undefined,
  }
}

function faultyLine(breaks: Break, { at }: Fault, listener: LineListener, { onBroken }: FaultListener): Line {
  let frames = 0
  breaks('line.connect')
  setTimeout(() => {
    // The engine's reaction to an invalid event must not reach the line.
    if (at === 'line.onEvent') listener.onEvent(undefined as never)
    listener.onEvent({ type: 'answered', codec: { name: 'PCMU', rateHz } })
    if (at === 'line.onFrame') listener.onFrame(undefined as never)
    if (at === 'line.onEvent' || at === 'line.onFrame') onBroken()
  }, 20)
  return {
    get rateHz() {
      breaks('line.rateHz')
      return rateHz
    },
    get callSid() {
      return (breaks('line.callSid') ?? 'sid-1') as string
    },
    send() {
      listener.onFrame(makeFrame(rateHz))
      if (++frames === patienceFrames) listener.onEvent({ type: 'ended', cause: 'hangup' })
      return breaks('line.send') as undefined
    },
    get can() {
      breaks('line.can')
      return { digits: true, hold: true, transfers: ['blind'], earlyMedia: false, codecs: [] } as const
    },
    sendDigits: () => (breaks('line.sendDigits') ?? Promise.resolve()) as Promise<void>,
    hold: () => (breaks('line.hold') ?? Promise.resolve()) as Promise<void>,
    transfer: () =>
      (breaks('line.transfer') ?? Promise.resolve({ is: 'completed' })) as Promise<TransferResult>,
    consult: (_to, target) =>
      faultyConsultation(breaks, at !== 'consultation.hangUp', target, () =>
        listener.onEvent({ type: 'ended', cause: 'hangup' }),
      ),
    get quality() {
      return (breaks('line.quality') ?? null) as null
    },
    pickUp: () => breaks('line.pickUp') as undefined,
    hangUp: () => breaks('line.hangUp') as undefined,
  }
}

/** The target answers; if it takes the call, the two talk for a moment. */
function faultyConsultation(
  breaks: Break,
  takesCall: boolean,
  target: LineListener,
  leave: () => void,
): Consultation {
  breaks('consultation.open')
  let frames = 0
  setTimeout(() => target.onEvent({ type: 'answered', codec: { name: 'PCMU', rateHz } }), 20)
  return {
    send() {
      if (++frames === spokenFrames && takesCall) target.onEvent({ type: 'digit', digit: '1' })
      return breaks('consultation.send') as undefined
    },
    async join() {
      await breaks('consultation.join')
      setTimeout(leave, 100)
    },
    hangUp: () => breaks('consultation.hangUp') as undefined,
  }
}

const faultyTranscriber = (breaks: Break): Transcriber => ({
  abilities: { keyterms: false, languages: ['en'] },
  warm: () => (breaks('transcriber.warm') ?? Promise.resolve()) as Promise<void>,
  open(_options, signal) {
    breaks('transcriber.open', signal)
    const { promise: aborted, resolve } = Promise.withResolvers<void>()
    const asked = Promise.withResolvers<void>()
    signal.addEventListener('abort', () => resolve())
    let frames = 0
    const events: (() => Promise<TranscriptEvent>)[] = [
      async () => {
        await Promise.race([asked.promise, aborted])
        return { type: 'final', text: 'what do you have' }
      },
    ]
    return {
      write() {
        if (++frames === heardAfterFrames + spokenFrames) asked.resolve()
        return breaks('stream.write') as undefined
      },
      hear: () => breaks('stream.hear') as undefined,
      finalize: () => breaks('stream.finalize') as undefined,
      finish: () => breaks('stream.finish') as undefined,
      [Symbol.asyncIterator]: () => ({
        async next() {
          await breaks('stream.next')
          const event = events.shift()
          if (event) return { value: await event(), done: false }
          // One more event after the end, so that the reader returns early.
          await aborted
          return { value: { type: 'speech-ended' }, done: false }
        },
        return: async () => {
          await breaks('stream.return')
          return { value: undefined, done: true }
        },
      }),
    }
  },
})

const framesPerClause = 10

const faultySynthesizer = (breaks: Break, { at }: Fault): Synthesizer => ({
  abilities: { clauseEnds: true, wordTimes: false, languages: ['en'] },
  warm: () => (breaks('synthesizer.warm') ?? Promise.resolve()) as Promise<void>,
  open({ rateHz: lineHz }, signal) {
    breaks('synthesizer.open', signal)
    const owed: SynthesisEvent[] = []
    let finished = false
    let wake = () => {}
    signal.addEventListener('abort', () => wake())
    return {
      write() {
        const frames = Array.from({ length: framesPerClause }, () => makeFrame(lineHz))
        owed.push(...frames.map((frame) => ({ type: 'frame', frame }) as const), { type: 'clause-end' })
        wake()
        return breaks('synthesis.write') as undefined
      },
      flush: () => breaks('synthesis.flush') as undefined,
      finish() {
        finished = true
        wake()
        return breaks('synthesis.finish') as undefined
      },
      cancel() {
        wake()
        return breaks('synthesis.cancel') as undefined
      },
      [Symbol.asyncIterator]: () => ({
        async next() {
          await breaks('synthesis.next')
          // Endless audio, so that the reader returns early.
          if (at === 'synthesis.return' || at === 'synthesis.cancel')
            return { value: { type: 'frame', frame: makeFrame(lineHz) }, done: false }
          while (owed.length === 0 && !finished && !signal.aborted)
            await new Promise<void>((resolve) => {
              wake = resolve
            })
          const value = owed.shift()
          return value ? { value, done: false } : { value: undefined, done: true }
        },
        return: async () => {
          await breaks('synthesis.return')
          return { value: undefined, done: true }
        },
      }),
    }
  },
})

const faultyDetector = (breaks: Break, { at }: Fault, { onBroken }: FaultListener): VoiceDetector => ({
  open(_rateHz, onEvent) {
    breaks('detector.open')
    let frames = 0
    return {
      write() {
        const atMs = ++frames * 20
        if (at === 'detector.onEvent') {
          onEvent(undefined as never)
          onBroken()
        }
        if (frames === heardAfterFrames) onEvent({ type: 'speech-start', atMs })
        if (frames === heardAfterFrames + spokenFrames) onEvent({ type: 'speech-end', atMs })
        return breaks('voice.write') as undefined
      },
      close: () => breaks('voice.close') as undefined,
    }
  },
  close: async () => {},
})

/** The tool call that leads to the method that fails. */
function toolFor(at = ''): Omit<ToolCall, 'id'> {
  const transferTo = (destination: string) => ({
    name: 'transfer_call',
    arguments: JSON.stringify({ destination }),
  })
  if (at === 'line.can' || at === 'line.sendDigits') return { name: 'send_dtmf', arguments: '{"digits":"1"}' }
  if (at === 'line.transfer') return transferTo('Desk')
  if (at.startsWith('consultation.')) return transferTo('Colleague')
  return { name: 'look', arguments: '{}' }
}

const faultyModel = (breaks: Break, { at }: Fault): LanguageModel => ({
  reply({ messages }, signal) {
    breaks('model.reply', signal)
    const parts: ModelPart[] = messages.some(({ role }) => role === 'tool')
      ? [{ type: 'text', text: 'We have one of those. '.repeat(at === 'answer.return' ? 1_000 : 1) }]
      : [{ type: 'tool-call', call: { id: 'call-1', ...toolFor(at) } }]
    return {
      [Symbol.asyncIterator]: () => ({
        async next() {
          await breaks('answer.next')
          await breaks.fallen
          const part = parts.shift()
          return part ? { value: part, done: false } : { value: undefined, done: true }
        },
        return: async () => {
          await breaks('answer.return')
          return { value: undefined, done: true }
        },
      }),
    }
  },
  isOver: () => (breaks('model.isOver') ?? true) as boolean,
})
