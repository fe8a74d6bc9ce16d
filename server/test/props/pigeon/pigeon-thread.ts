// A media thread with a third carrier, which dials every number. The engines are in memory; everything else is real.
import { workerData } from 'node:worker_threads'
import type { MediaThreadOptions } from '../../../src/main/media-messages.ts'
import { openMediaRuntime } from '../../../src/main/media-runtime.ts'
import { serveCalls } from '../../../src/main/serve-calls.ts'
import { ScriptedDetector, ScriptedTranscriber } from '../call/scripted-ears.ts'
import { ScriptedVoice } from '../call/scripted-voice.ts'
import { withPigeon } from './pigeon.ts'

const choice = {
  descriptions: withPigeon,
  // A number that says otherwise goes to a carrier that cannot dial, or to none.
  choose: ({ to }: { to: string | null }) =>
    to === '+15550188' ? 'browser' : to === '+15550189' ? 'owl' : 'pigeon',
}

serveCalls((log) => {
  const runtime = openMediaRuntime(workerData as MediaThreadOptions, log, { carriers: choice })
  const [detector, transcriber, synthesizer] = [
    new ScriptedDetector(),
    new ScriptedTranscriber(),
    new ScriptedVoice(),
  ]
  return { ...runtime, engines: { ...runtime.engines, detector, transcriber, synthesizer } as never }
})
