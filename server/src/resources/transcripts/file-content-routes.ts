// GET and HEAD /files/{file_id}/content: authorised by the signed address, for players. No API key, no envelope.
import { Id } from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { answerInRange } from '../../http/body/ranged-answer.ts'
import { fail } from '../../http/failure.ts'
import type { Files } from './files.ts'

const Params = z.strictObject({ file_id: Id })

export function mountFileContents(app: FastifyInstance, files: Files): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:file_id/content',
    handler: async (request, reply) => {
      const params = Params.safeParse(request.params)
      if (!params.success) return fail('FILE_LINK_INVALID')
      const content = await files.content(params.data.file_id.toLowerCase(), request.query)
      // The sandbox keeps a file that is no sound from acting as a page of ours.
      reply.headers({ 'content-type': content.mediaType, 'content-security-policy': 'sandbox' })
      return answerInRange(request, reply, content)
    },
  })
}
