// Registers an operation's route. One that streams its own body is registered in a scope without body parsing.
import type { Operation } from '@parley/contract'
import type { FastifyInstance, RouteOptions } from 'fastify'
import { forgetUpload } from './upload.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The request may carry a file, and gets more time. */
    carriesFile?: boolean
  }
}

export function route(
  app: FastifyInstance,
  { method, form, file }: Operation,
  options: Pick<RouteOptions, 'url' | 'handler'>,
): void {
  if (!form && file === 'none') return void app.route({ method, ...options })
  app.register(async (scope) => {
    if (form) takeBodies(scope, ['application/json', 'multipart/form-data'])
    // JSON is parsed as usual, to tell it from a file.
    else takeBodies(scope, '*')
    scope.addHook('onResponse', async (request) => forgetUpload(request))
    scope.route({ method, ...options, config: { carriesFile: file !== 'none' } })
  })
}

function takeBodies(scope: FastifyInstance, types: string[] | '*'): void {
  if (types !== '*') scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(types, (_request, body, done) => done(null, body))
}
