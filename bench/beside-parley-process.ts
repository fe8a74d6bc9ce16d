// Our side of the comparison with LiveKit's agents: calls in a separate process, with stub engines, measured from
// outside.
import { setTimeout as sleep } from 'node:timers/promises'
import { startCall } from '../server/src/call/session.ts'
import { openTicker } from '../server/src/platform/clock/ticker.ts'
import { planFor, unmeasured } from './call-plan.ts'
import { atOnce, stubDetector, stubModel, stubTranscriber, stubVoice } from './stub-engines.ts'
import { TalkingLine } from './talking-line.ts'
import { handClock, measureSide, TurnMeter } from './turn-meter.ts'

const load = JSON.parse(process.argv[2] ?? '')
const ticker = openTicker()
const agent = { agent_welcome_message: 'Hello, how can I help?' }

const calls = Array.from({ length: load.calls as number }, (_, place) => {
  const meter = new TurnMeter()
  const callers = handClock()
  const session = startCall(planFor(`beside-${place}`, agent), {
    ...unmeasured,
    connect: (listener) =>
      new TalkingLine(
        callers,
        {
          onEvent: (event) => listener.onEvent(event),
          onFrame(frame) {
            if (frame.samples[0] !== 0) meter.callerSounds(performance.now())
            listener.onFrame(frame)
          },
        },
        { onSent: (atMs, audible) => void (audible && meter.agentSounds(atMs)) },
      ),
    detector: stubDetector,
    transcriber: stubTranscriber(load.heard),
    model: stubModel(load.said, atOnce, () => {}),
    synthesizer: stubVoice(atOnce, () => {}),
    onUpdate() {},
  })
  const ticks = ticker.add((dueMs) => {
    callers.move(dueMs)
    session.tick(dueMs)
  })
  return { meter, ticks, session }
})

const report = await measureSide(
  calls.map(({ meter }) => meter),
  load,
  sleep,
)
for (const { session } of calls) session.stop('api')
await Promise.all(calls.map(({ session, ticks }) => session.done.finally(() => ticks.end())))
await ticker.close()
console.log(JSON.stringify(report))
