// LiveKit's side of the comparison: one AgentSession per call, its audio driven by the same caller as ours, with
// equivalent stub engines. No room and no server: only the session is compared.
//   node bench/beside-livekit-process.mjs '<load>' <folder with node_modules>
import { createRequire } from 'node:module'
import { setTimeout as sleep } from 'node:timers/promises'
import { pathToFileURL } from 'node:url'
import { openTicker } from '../server/src/platform/clock/ticker.ts'
import { hum } from './stub-engines.ts'
import { TalkingLine } from './talking-line.ts'
import { handClock, measureSide, TurnMeter } from './turn-meter.ts'

const load = JSON.parse(process.argv[2] ?? '')
const require = createRequire(pathToFileURL(`${process.argv[3]}/package.json`))
const { AudioFrame } = await import(pathToFileURL(require.resolve('@livekit/rtc-node')).href)
const agents = await import(pathToFileURL(require.resolve('@livekit/agents')).href)
const {
  AgentSession,
  AudioInput,
  AudioOutput,
  initializeLogger,
  llm,
  stt,
  tts,
  VAD,
  VADEventType,
  VADStream,
  voice,
} = agents
initializeLogger({ pretty: false, level: 'error' })

const rateHz = 8_000
const framesPerWord = 12
// Like our own stub detector.
const framesToStart = 3
const framesToEnd = 5
const frameSamples = rateHz / 50

/** Any non-zero sample is voice. */
class StubVadStream extends VADStream {
  label = 'stub'
  constructor(vad) {
    super(vad)
    void this.#listen()
  }
  async #listen() {
    let [run, speaking, index] = [0, false, 0]
    for (;;) {
      const { value: frame, done } = await this.inputReader.read()
      if (done) return
      if (typeof frame === 'symbol') continue
      index += frame.samplesPerChannel
      run = (frame.data[0] !== 0) === speaking ? 0 : run + 1
      const silenceMs = speaking ? run * 20 : 0
      this.#tell(VADEventType.INFERENCE_DONE, frame, index, speaking, silenceMs)
      if (run < (speaking ? framesToEnd : framesToStart)) continue
      speaking = !speaking
      run = 0
      const type = speaking ? VADEventType.START_OF_SPEECH : VADEventType.END_OF_SPEECH
      this.#tell(type, frame, index, speaking, speaking ? 0 : framesToEnd * 20)
    }
  }
  #tell(type, frame, samplesIndex, speaking, silenceMs) {
    this.sendVADEvent({
      type,
      samplesIndex,
      speaking,
      timestamp: Date.now(),
      frames: [frame],
      probability: speaking ? 1 : 0,
      speechDuration: speaking ? 60 : 0,
      silenceDuration: silenceMs,
      inferenceDuration: 0,
      rawAccumulatedSilence: silenceMs,
      rawAccumulatedSpeech: speaking ? 60 : 0,
    })
  }
}

class StubVad extends VAD {
  label = 'stub'
  constructor() {
    super({ updateInterval: 20 })
  }
  stream() {
    return new StubVadStream(this)
  }
}

/** The transcript is available as soon as the voice ends. */
class StubSpeechStream extends stt.SpeechStream {
  label = 'stub'
  async run() {
    let [run, speaking] = [0, false]
    for await (const frame of this.input) {
      if (typeof frame === 'symbol') continue
      run = (frame.data[0] !== 0) === speaking ? 0 : run + 1
      if (run < (speaking ? framesToEnd : framesToStart)) continue
      speaking = !speaking
      run = 0
      if (speaking) this.queue.put({ type: stt.SpeechEventType.START_OF_SPEECH })
      else {
        const words = { text: load.heard, language: 'en', startTime: 0, endTime: 0, confidence: 1 }
        this.queue.put({ type: stt.SpeechEventType.FINAL_TRANSCRIPT, alternatives: [words] })
        this.queue.put({ type: stt.SpeechEventType.END_OF_SPEECH })
      }
    }
  }
}

class StubStt extends stt.STT {
  label = 'stub'
  constructor() {
    super({ streaming: true, interimResults: false })
  }
  async _recognize() {
    throw new Error('it streams')
  }
  stream() {
    return new StubSpeechStream(this)
  }
}

class StubLlmStream extends llm.LLMStream {
  async run() {
    this.queue.put({ id: '1', delta: { role: 'assistant', content: load.said } })
  }
}

class StubLlm extends llm.LLM {
  label() {
    return 'stub'
  }
  chat({ chatCtx, toolCtx, connOptions }) {
    return new StubLlmStream(this, {
      chatCtx,
      toolCtx,
      connOptions: connOptions ?? { maxRetry: 0, retryIntervalMs: 0, timeoutMs: 10_000 },
    })
  }
}

const frameOf = (samples) => new AudioFrame(samples, rateHz, 1, samples.length)
const voiceSamples = hum(rateHz).samples

function* spoken(text) {
  for (let left = text.trim().split(/\s+/).length * framesPerWord; left > 0; left--)
    yield frameOf(voiceSamples)
}

class StubChunks extends tts.ChunkedStream {
  label = 'stub'
  async run() {
    for (const frame of spoken(this.inputText))
      this.queue.put({ requestId: '1', segmentId: '1', frame, final: false })
    this.queue.close()
  }
}

class StubSynthesis extends tts.SynthesizeStream {
  label = 'stub'
  async run() {
    for await (const text of this.input) {
      if (typeof text === 'symbol') continue
      for (const frame of spoken(text))
        this.queue.put({ requestId: '1', segmentId: '1', frame, final: false })
    }
    this.queue.put(tts.SynthesizeStream.END_OF_STREAM)
  }
}

class StubTts extends tts.TTS {
  label = 'stub'
  constructor() {
    super(rateHz, 1, { streaming: true })
  }
  synthesize(text) {
    return new StubChunks(text, this)
  }
  stream() {
    return new StubSynthesis(this)
  }
}

/** The caller's audio. */
class CallerAudio extends AudioInput {
  #writer
  constructor() {
    super()
    const channel = new TransformStream()
    this.#writer = channel.writable.getWriter()
    this.multiStream.addInputStream(channel.readable)
  }
  push(samples) {
    void this.#writer.write(frameOf(Int16Array.from(samples)))
  }
}

/** The session's audio, played in real time: one frame per tick. */
class AgentAudio extends AudioOutput {
  #waiting = []
  #playedMs = 0
  #flushed = false
  constructor() {
    super(rateHz, undefined, { pause: false })
  }
  async captureFrame(frame) {
    await super.captureFrame(frame)
    this.#waiting.push(frame.data)
    this.#flushed = false
  }
  flush() {
    super.flush()
    this.#flushed = true
    if (this.#waiting.length === 0 && this.#playedMs > 0) this.#end(false)
  }
  clearBuffer() {
    this.#waiting = []
    if (this.#playedMs > 0) this.#end(true)
  }
  /** The next 20 ms, if any. */
  next() {
    const samples = this.#waiting.shift()
    if (!samples) {
      if (this.#flushed && this.#playedMs > 0) this.#end(false)
      return undefined
    }
    if (this.#playedMs === 0) this.onPlaybackStarted(Date.now())
    this.#playedMs += (samples.length / rateHz) * 1_000
    return samples
  }
  #end(interrupted) {
    const playbackPosition = this.#playedMs / 1_000
    this.#playedMs = 0
    this.#flushed = false
    this.onPlaybackFinished({ playbackPosition, interrupted })
  }
}

const ticker = openTicker()
const hush = new Int16Array(frameSamples)

async function startCall() {
  const meter = new TurnMeter()
  const callers = handClock()
  const [callerAudio, agentAudio] = [new CallerAudio(), new AgentAudio()]
  const session = new AgentSession({
    stt: new StubStt(),
    vad: new StubVad(),
    llm: new StubLlm(),
    tts: new StubTts(),
    turnHandling: {
      turnDetection: 'vad',
      endpointing: { mode: 'fixed', minDelay: load.endpointingMs, maxDelay: 3_000 },
    },
    userAwayTimeout: null,
    aecWarmupDuration: null,
  })
  session.input.audio = callerAudio
  session.output.audio = agentAudio
  await session.start({ agent: new voice.Agent({ instructions: 'You take bookings.' }), record: false })
  const line = new TalkingLine(
    callers,
    {
      onEvent: () => void session.say('Hello, how can I help?'),
      onFrame({ samples }) {
        if (samples[0] !== 0) meter.callerSounds(performance.now())
        callerAudio.push(samples)
      },
    },
    { onSent: (atMs, audible) => void (audible && meter.agentSounds(atMs)) },
  )
  const ticks = ticker.add((dueMs) => {
    callers.move(dueMs)
    line.send({ samples: agentAudio.next() ?? hush, rateHz })
  })
  return { meter, ticks, line, session }
}

const calls = await Promise.all(Array.from({ length: load.calls }, startCall))
const report = await measureSide(
  calls.map(({ meter }) => meter),
  load,
  sleep,
)
console.log(JSON.stringify(report))
process.exit(0)
