// A call of half an hour, as fast as it runs: the frame path allocates nothing, and the session does not grow.
import { spawnSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'

const module = (path: string) => JSON.stringify(new URL(path, import.meta.url).href)

function run(program: string) {
  const flags = [
    '--expose-gc',
    '--max-semi-space-size=1',
    '--min-semi-space-size=1',
    '--input-type=module',
    '-e',
    program,
  ]
  const { stdout, stderr } = spawnSync(process.execPath, flags, { encoding: 'utf8', timeout: 50_000 })
  expect(stderr).toBe('')
  return JSON.parse(stdout)
}

/** In a process whose young generation is 1 MB: every 10 bytes per frame cause one collection. */
const framePath = `
  import { PerformanceObserver } from 'node:perf_hooks'
  import { makeFrame } from ${module('../media/frame.ts')}
  import { EchoMeter } from ${module('../media/echo.ts')}
  import { BeepDetector } from ${module('../media/beep.ts')}
  import { InformationTones } from ${module('../media/information-tones.ts')}
  import { CallerQueue } from ${module('./listen/caller-queue.ts')}
  import { Player } from ${module('./speak/player.ts')}
  import { Recorder } from ${module('./record/recorder.ts')}
  import { Saying } from ${module('./speak/saying.ts')}

  const voice = makeFrame(8_000), room = makeFrame(8_000), out = makeFrame(8_000)
  voice.samples.forEach((_, n) => { voice.samples[n] = 5_000 * Math.sin(n) })
  const queue = new CallerQueue(8_000), echo = new EchoMeter(), beep = new BeepDetector(8_000), tones = new InformationTones(8_000)
  const nothing = () => {}
  const player = new Player({ onBegan: nothing, onPiece: nothing, onDrained: nothing }, () => room)
  const recorder = new Recorder({ write: nothing, close: async () => {} }, nothing)
  const saying = new Saying(1, 'reply')
  const piece = saying.add('for ever')
  player.add(saying)
  const frame = (i) => {
    saying.put(piece, voice)
    queue.push(voice)
    const caller = queue.take()
    echo.push(out.samples, caller.samples)
    beep.hears(caller.samples)
    tones.hears(caller.samples)
    player.fill(out.samples)
    recorder.write(caller, out)
  }
  for (let i = 0; i < 5_000; i++) frame(i)
  globalThis.gc()
  let collections = 0
  const observer = new PerformanceObserver((list) => { collections += list.getEntries().length })
  await new Promise((resolve) => setTimeout(resolve, 20))
  observer.observe({ entryTypes: ['gc'] })
  for (let i = 0; i < 100_000; i++) frame(i)
  await new Promise((resolve) => setTimeout(resolve, 20))
  console.log(JSON.stringify({ collections, silent: out.samples[1] === 0 }))
`

const longCall = `
  import { rehearse } from ${module('../../test/props/call/rehearsal.ts')}

  const forgetful = { write() {}, async close() {} }
  const call = rehearse({
    agent: { agent_welcome_message: 'Hello there.' },
    task: { hangup_after_silence: 0, call_terminate: 0, check_if_user_online: false, backchanneling: true },
    parts: { recording: () => forgetful, onUpdate() {} },
  })
  await call.answer()
  const listen = async (ticks) => {
    for (let i = 0; i < ticks; i++) {
      call.line.bring(i % 50)
      call.session.tick(2_000 + (at += 20))
      // A noise every two seconds, and no words.
      if (i % 100 === 10) call.detector.tell('speech-start')
      if (i % 100 === 30) call.detector.tell('speech-end')
      if (i % 1_000 === 0) await null
      call.line.sent.length = 0
      call.ears.now.heard.length = 0
    }
    globalThis.gc()
    return process.memoryUsage()
  }
  let at = 0
  const before = await listen(10_000)
  const after = await listen(100_000)
  console.log(JSON.stringify({
    grownKb: (after.heapUsed - before.heapUsed) / 1_024,
    buffersKb: (after.arrayBuffers - before.arrayBuffers) / 1_024,
    over: call.isOver,
  }))
`

describe('100,000 ticks', () => {
  it('allocate nothing on the frame path', () => {
    const { collections, silent } = run(framePath)
    expect(silent).toBe(false)
    // V8 boxes a fraction now and then; one object per frame causes 30 collections or more.
    expect(collections).toBeLessThan(15)
  })

  it('leave the heap of a call unchanged', () => {
    const { grownKb, buffersKb, over } = run(longCall)
    expect(over).toBe(false)
    expect(grownKb).toBeLessThan(400)
    expect(buffersKb).toBeLessThan(100)
  })
})
