// HTTP routes of voices. A sample is authorised by its signed URL, for browsers: no API key, no envelope.
import { listVoices } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Mount } from '../../http/doors/voice-door.ts'
import { fail } from '../../http/failure.ts'
import type { Voices } from './voices.ts'

const Params = z.strictObject({ name: z.string().max(100) })

export function mountVoices(mount: Mount, voices: Voices): void {
  mount(listVoices, () => voices.list())
}

export function mountVoiceSamples(app: FastifyInstance, voices: Voices): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/voices/:name/sample.wav',
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params)
      if (!params.success) return fail('VOICE_SAMPLE_LINK_INVALID')
      const { name } = params.data
      const wav = await voices.sample(name, request.query)
      reply.headers({
        'content-type': 'audio/wav',
        'content-disposition': `inline; filename="${name}.wav"`,
        'cache-control': 'private, max-age=3600',
        'x-content-type-options': 'nosniff',
        'content-length': wav.byteLength,
      })
      return reply.send(request.method === 'HEAD' ? undefined : Buffer.from(wav))
    },
  })
}
