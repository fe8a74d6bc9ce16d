// A media thread with a third carrier, which dials every number. The engines are in memory; everything else is real.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../../src/main/media/media-messages.ts'
import { openMediaRuntime } from '../../../src/main/media/media-runtime.ts'
import { serveCalls } from '../../../src/main/media/serve-calls.ts'
import { overClauses } from '../../../src/ports/clause-stream.ts'
import { ScriptedVoice } from '../call/scripted-synthesizer.ts'
import { ScriptedDetector, ScriptedTranscriber } from '../call/scripted-transcriber.ts'
import { withPigeon } from './pigeon.ts'

serveCalls((log) => {
  const runtime = openMediaRuntime(workerData as MediaThreadOptions, log, { carriers: withPigeon })
  const [detector, transcriber] = [new ScriptedDetector(), new ScriptedTranscriber()]
  const synthesizer = overClauses(new ScriptedVoice(), ['en'])
  return { ...runtime, engines: { ...runtime.engines, detector, transcriber, synthesizer } as never }
})
