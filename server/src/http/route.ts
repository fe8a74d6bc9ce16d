// Puts the address of an operation on the wire. One that reads its own body gets a corner of its own, where bodies are
// not read before the route.
import type { Operation } from '@parley/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { forgetUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A file may come with the request: it has more time than others. */
    carriesFile?: boolean
  }
}

export function route(
  app: FastifyInstance,
  { method, form, file }: Operation,
  options: Pick<RouteOptions, 'url' | 'handler'>,
): void {
  if (!form && file === 'none') return void app.route({ method, ...options })
  app.register(async (corner) => {
    if (form) takeBodies(corner, ['application/json', 'multipart/form-data'])
    // JSON is read as everywhere, so that it can be told from a file.
    else takeBodies(corner, '*')
    corner.addHook('onResponse', async (request) => forgetUpload(request))
    corner.route({ method, ...options, config: { carriesFile: file !== 'none' } })
  })
}

function takeBodies(corner: FastifyInstance, types: string[] | '*'): void {
  if (types !== '*') corner.removeAllContentTypeParsers()
  corner.addContentTypeParser(types, (_request, body, done) => done(null, body))
}
