// HTTP routes of the speech-to-text service.
import {
  createTranscript,
  deleteFile,
  deleteTranscript,
  getCallbackSecret,
  getFile,
  getTranscript,
  getTranscriptCorrections,
  Id,
  listTranscripts,
  putTranscriptCorrections,
  rotateCallbackSecret,
  transcribeNow,
  uploadFile,
} from '@parley/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import { answerInRange } from '../../http/body/ranged-answer.ts'
import type { Mount } from '../../http/doors/voice-door.ts'
import { fail } from '../../http/failure.ts'
import type { CallbackSecrets } from './callback-secrets.ts'
import type { CorrectionRules } from './corrections.ts'
import type { Files } from './files.ts'
import type { Transcripts } from './transcripts.ts'

export interface TranscriptResources {
  readonly files: Files
  readonly transcripts: Transcripts
  readonly corrections: CorrectionRules
  readonly secrets: CallbackSecrets
}

export function mountTranscripts(
  mount: Mount,
  { files, transcripts, corrections, secrets }: TranscriptResources,
): void {
  mount(uploadFile, async (_input, { workspaceId, file }) =>
    files.add(workspaceId, file ?? fail('UNSUPPORTED_CONTENT_TYPE')),
  )
  mount(getFile, ({ params }, { workspaceId }) => files.get(workspaceId, params.id))
  mount(deleteFile, ({ params }, { workspaceId }) => files.remove(workspaceId, params.id))

  mount(createTranscript, ({ body }, { workspaceId }) => transcripts.create(workspaceId, body))
  mount(transcribeNow, ({ body }, { workspaceId, file }) => transcripts.now(workspaceId, body, file))
  mount(listTranscripts, ({ query }, { workspaceId }) => {
    const { status, ...page } = query
    return transcripts.list(workspaceId, status, page)
  })
  mount(getTranscript, ({ params, query }, { workspaceId }) =>
    transcripts.get(workspaceId, params.id, query.format),
  )
  mount(deleteTranscript, ({ params }, { workspaceId }) => transcripts.remove(workspaceId, params.id))

  mount(getTranscriptCorrections, ({ params }, { workspaceId }) => corrections.get(workspaceId, params.id))
  mount(putTranscriptCorrections, ({ params, body }, { workspaceId, author }) =>
    corrections.put(workspaceId, params.id, body, author),
  )

  mount(getCallbackSecret, (_input, { workspaceId }) => secrets.read(workspaceId))
  mount(rotateCallbackSecret, (_input, { workspaceId }) => secrets.rotate(workspaceId))
}

// GET and HEAD /files/{file_id}/content: authorised by the signed address, for players. No API key, no envelope.
const FileParams = z.strictObject({ file_id: Id })

export function mountFileContents(app: FastifyInstance, files: Files): void {
  app.route({
    method: ['GET', 'HEAD'],
    url: '/files/:file_id/content',
    handler: async (request, reply) => {
      const params = FileParams.safeParse(request.params)
      if (!params.success) return fail('FILE_LINK_INVALID')
      const content = await files.content(params.data.file_id.toLowerCase(), request.query)
      // The sandbox keeps a file that is no sound from acting as a page of ours.
      reply.headers({ 'content-type': content.mediaType, 'content-security-policy': 'sandbox' })
      return answerInRange(request, reply, content)
    },
  })
}
