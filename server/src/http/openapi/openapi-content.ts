// The bodies of requests and answers in the OpenAPI document, with their examples.
import { type Operation, Text } from '@parley/contract'
import { z } from 'zod'
import type { Components } from './openapi-components.ts'
import type { Json } from './openapi-face.ts'

// The upper bound of PARLEY_UPLOAD_MAX_MB; each deployment sets its own.
const uploadBytes = 1_000_000 * 1024 ** 2

export function requestContentOf(
  { body, form, file: takes, example }: Operation,
  components: Components,
): Json | undefined {
  const json = body && { schema: components.use(body, 'input'), example: example?.body }
  const file = {
    type: 'string',
    format: 'binary',
    maxLength: uploadBytes,
    description: 'The recording: audio or video, as many bytes as the operator allows (2 GB by default).',
  }
  const fields = body instanceof z.ZodObject ? components.fieldsOf(body) : {}
  const withFile = {
    schema: {
      type: 'object',
      properties: { file, ...fields },
      required: ['file'],
      additionalProperties: false,
    },
    ...formExample(example?.form),
  }
  if (takes === 'required')
    return { 'multipart/form-data': withFile, 'application/octet-stream': { schema: file } }
  const asForm = form
    ? { schema: components.use(form, 'input'), ...formExample(example?.form) }
    : takes === 'allowed' && withFile
  return json && { 'application/json': json, ...(asForm && { 'multipart/form-data': asForm }) }
}

/** The file itself is named, not shown. */
const formExample = (fields: Readonly<Record<string, unknown>> | undefined): Json =>
  fields ? { example: { file: '(binary)', ...fields } } : {}

export function mediaTypesOf({ answers, data, example }: Operation, components: Components): Json {
  const schema = components.use(data, 'output')
  if (answers === 'event-stream') return { 'text/event-stream': { schema, example: example?.data } }
  if (answers === 'csv') return { 'text/csv': { schema, example: example?.data } }
  if (answers === 'bare') return { 'application/json': { schema, example: example?.data } }
  return {
    ...(answers === 'json-or-text' && textsOf(example?.texts, components)),
    'application/json': {
      schema: {
        type: 'object',
        properties: {
          status: { type: 'string', const: 'success', description: 'Tells a success from a refusal.' },
          data: { description: 'The result.', ...schema },
        },
        required: ['status', 'data'],
        additionalProperties: false,
      },
      example: { status: 'success', data: example?.data },
    },
  }
}

const textsOf = (texts: Readonly<Record<string, string>> = {}, components: Components): Json =>
  Object.fromEntries(
    Object.entries(texts).map(([type, text]) => [
      type,
      { schema: components.use(Text, 'output'), example: text },
    ]),
  )
