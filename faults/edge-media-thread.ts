// A media thread with engines in memory: signalling and sound of its calls are real, and cost no more than they must.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../server/src/main/media/media-messages.ts'
import { openMediaRuntime } from '../server/src/main/media/media-runtime.ts'
import { serveCalls } from '../server/src/main/media/serve-calls.ts'
import { overClauses } from '../server/src/ports/clause-stream.ts'
import { ScriptedVoice } from '../server/test/props/call/scripted-synthesizer.ts'
import { ScriptedDetector, ScriptedTranscriber } from '../server/test/props/call/scripted-transcriber.ts'

serveCalls((log) => {
  // The thread starts with its process, as if engines were loaded at the start; there are none.
  const { config, ...options } = workerData as MediaThreadOptions
  const runtime = openMediaRuntime({ ...options, config: { ...config, warmEngines: false } }, log)
  const [detector, transcriber] = [new ScriptedDetector(), new ScriptedTranscriber()]
  const synthesizer = overClauses(new ScriptedVoice(), ['en'])
  return { ...runtime, engines: { ...runtime.engines, detector, transcriber, synthesizer } as never }
})
