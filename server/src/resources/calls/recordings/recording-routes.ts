// GET and HEAD /recordings/{session_id}: authorised by the signed URL, mostly for browsers. No API key, no envelope.
import { Id } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { send, success } from '../../../http/answer.ts'
import { answerInRange } from '../../../http/body/ranged-answer.ts'
import { fail } from '../../../http/failure.ts'
import { wavHeaderBytes } from '../../../media/wav.ts'
import { PeakMeter } from '../../../media/wave-peaks.ts'
import { nameOf, type PlayableRecording, type Recordings } from './recordings.ts'

// As many as a wide screen can tell apart.
const drawnStretches = 800

const Params = z.strictObject({ session_id: Id })

export function mountRecordings(app: FastifyInstance, recordings: Recordings): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/recordings/:session_id',
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params)
      if (!params.success) return fail('RECORDING_LINK_INVALID')
      const { session_id: sessionId } = params.data
      recordings.mustBeSigned(sessionId, request.query)
      const recording = await recordings.find(sessionId)
      reply.headers({
        'content-type': 'audio/wav',
        'content-disposition': `inline; filename="${nameOf(sessionId)}"`,
      })
      return answerInRange(request, reply, recording)
    },
  })
  app.get('/recordings/:session_id/peaks', async (request, reply) => {
    const params = Params.safeParse(request.params)
    if (!params.success) return fail('RECORDING_LINK_INVALID')
    recordings.mustBeSigned(params.data.session_id, request.query)
    const peaks = await peaksOf(await recordings.find(params.data.session_id))
    return send(reply, success({ status: 200, answers: 'json' }, peaks))
  })
}

/** What a player draws; a recording of hours is read here once instead of in every browser. */
async function peaksOf({ bytes, read }: PlayableRecording) {
  const meter = new PeakMeter(bytes - wavHeaderBytes, drawnStretches)
  const header = Buffer.alloc(wavHeaderBytes)
  if (bytes <= wavHeaderBytes) return { seconds: 0, ...meter.peaks }
  for await (const chunk of await read({ first: 0, last: wavHeaderBytes - 1 })) header.set(chunk as Buffer)
  for await (const chunk of await read({ first: wavHeaderBytes, last: bytes - 1 })) meter.add(chunk as Buffer)
  return { seconds: (bytes - wavHeaderBytes) / header.readUInt32LE(28), ...meter.peaks }
}
