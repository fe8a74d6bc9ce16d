// The OpenAPI documents explain themselves: nothing without a sentence, an example or a sample, and no link to nowhere.
import { existsSync } from 'node:fs'
import { type Operation, transcriptOperations, voiceOperations } from '@parley/contract'
import { describe, expect, it } from 'vitest'
import type { z } from 'zod'
import {
  fieldGaps,
  linksIn,
  type OpenApi,
  operationGaps,
  operationsOf,
  tagGaps,
} from '../../../test/support/requests/openapi-gaps.ts'
import { openApiDocument } from './openapi.ts'
import { transcriptionFace, voiceFace } from './openapi-faces.ts'

const documents = [
  ['Voice AI', voiceOperations, voiceFace],
  ['speech-to-text', transcriptOperations, transcriptionFace],
] as const

/** What the example of an operation violates, as `part path: message`. */
function faultsOf({ params, query, body, form, data, example = {} }: Operation): string[] {
  // The file of a form is not part of its example.
  const fields = form?.omit({ file: true })
  const parts: [string, z.ZodType | undefined, unknown][] = [
    ['params', params, example.params],
    ['query', query, query && (example.query ?? {})],
    ['body', body, example.body],
    ['form', fields, form && example.form],
    ['data', data, example.data],
  ]
  return parts.flatMap(([part, schema, value]) => {
    if (!schema) return value === undefined || part === 'form' ? [] : [`${part}: takes none`]
    const { error } = schema.safeParse(value)
    return (error?.issues ?? []).map(({ path, message }) => `${part} ${path.join('.')}: ${message}`)
  })
}

describe.each(documents)('the document of %s', (_name, operations, face) => {
  const document = openApiDocument(operations, face) as unknown as OpenApi

  it('describes every operation, with examples and samples', () => {
    expect(operationsOf(document).length).toBe(operations.length)
    expect(operationGaps(document)).toEqual([])
  })

  it('says of every field what it is, in which unit, and what holds without it', () => {
    expect(fieldGaps(document)).toEqual([])
  })

  it('has a description and a guide for every chapter', () => expect(tagGaps(document)).toEqual([]))

  it.each(operations.map((operation) => [operation.id, operation] as const))(
    'has an example of %s that fits its schemas',
    (_id, operation) => expect(faultsOf(operation)).toEqual([]),
  )

  it('links only to operations and pages that exist', () => {
    const ids = operations.map(({ id }) => `#operation/${id}`)
    const docs = new URL('../../../../docs/', import.meta.url)
    const pages = ['/docs/reference', '/docs/reference/speech']
    const isThere = (link: string) =>
      ids.includes(link) ||
      pages.includes(link) ||
      (link.startsWith('/docs/') && existsSync(new URL(`${link.slice('/docs/'.length)}.md`, docs)))
    const links = linksIn(document)
    expect(links.filter((link) => link.startsWith('#')).length).toBeGreaterThan(5)
    expect(links.filter((link) => !isThere(link))).toEqual([])
  })
})

describe('what is missing is listed by its path', () => {
  const document = () => openApiDocument(voiceOperations, voiceFace)
  // biome-ignore lint/suspicious/noExplicitAny: any part of the document is spoilt
  const spoilt = (spoil: (document: any) => void) => {
    const copy = structuredClone(document())
    spoil(copy)
    return copy as unknown as OpenApi
  }

  it('a description', () => {
    const bare = spoilt(({ paths }) => {
      paths['/agents'].get.description = paths['/agents'].get.summary
    })
    expect(operationGaps(bare)).toEqual(['get /agents description'])
  })

  it('an example and a sample', () => {
    const bare = spoilt(({ paths }) => {
      delete paths['/calls'].post.requestBody.content['application/json'].example
      paths['/calls'].post['x-codeSamples'].pop()
    })
    expect(operationGaps(bare)).toEqual([
      'post /calls request application/json example',
      'post /calls TypeScript sample',
    ])
  })

  it('a field, a unit, a default', () => {
    const bare = spoilt(({ components }) => {
      const { properties } = components.schemas.AgentConfig
      delete properties.agent_name.description
      properties.task_config.properties.call_terminate.description = 'When it ends.'
      properties.language.description = 'What is spoken.'
    })
    expect(fieldGaps(bare)).toEqual([
      'schema AgentConfig/agent_name: no sentence',
      'schema AgentConfig/language: no default',
      'schema AgentConfig/task_config/call_terminate: no unit',
    ])
  })

  it('an example that does not fit', () => {
    const [createAgent] = voiceOperations
    const wrong = { ...createAgent, example: { body: { agent_config: {} }, data: { agent_id: 'x' } } }
    expect(faultsOf(wrong as Operation).map((fault) => fault.split(':')[0])).toEqual([
      'body agent_config.agent_name',
      'body agent_config.llm_agent',
      'data agent_id',
      'data agent_name',
    ])
  })

  it('a link', () => {
    const lost = spoilt(({ info }) => {
      info.description = 'See [this](#operation/doAnything).'
    })
    expect(linksIn(lost)).toContain('#operation/doAnything')
  })
})
