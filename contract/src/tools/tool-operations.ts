// The operations on tools.
import { z } from 'zod'
import { voiceAddresses } from '../addresses.ts'
import { exampleIds, exampleTimes, onePage } from '../example-values.ts'
import { operation } from '../operation.ts'
import { PageQuery, pageOf } from '../pagination.ts'
import { Id } from '../words.ts'
import { NewTool, StoredTool, ToolChange, ToolTrial, ToolTried, ToolType, UpdatedTool } from './tool.ts'

const ById = z.strictObject({ id: Id.describe('The tool_id that `createTool` answered with.') })
const tag = 'Tools'
const byTool = { params: { id: exampleIds.tool } }

const parameters = {
  type: 'object',
  required: ['order'],
  properties: {
    order: {
      type: 'string',
      maxLength: 20,
      pattern: '^[A-Z]-[0-9]+$',
      description: 'The number of the order.',
    },
  },
}

const tool = {
  tool_id: exampleIds.tool,
  type: 'http',
  name: 'find_order',
  description: 'Looks up an order. Use it when the caller asks where an order is.',
  parameters,
  url: 'https://shop.example.com/orders/{order}',
  method: 'GET',
  headers: { Authorization: 'Bea…w9Qz' },
  query: { phone: '{from_phone_number}' },
  body: null,
  tool_names: null,
  timeout_seconds: 5,
  pre_call_message: 'One moment, I look it up.',
  save: { order_state: 'order.state' },
  created_at: exampleTimes.created,
  updated_at: exampleTimes.created,
}

export const createTool = operation({
  ...voiceAddresses.createTool,
  tag,
  summary: 'Create a tool',
  description:
    'From now on agents can name it in `tool_definition_ids`. `parameters` must be a valid JSON Schema; `url` must be public https, or a host in PARLEY_TRUSTED_HOSTS (URL_NOT_PUBLIC). Values of headers are kept encrypted and shown by their ends. Whether it works is what `tryTool` says; the [guide](/docs/guide/tools) has every field.',
  body: NewTool,
  status: 201,
  data: StoredTool,
  example: {
    body: {
      type: 'http',
      name: tool.name,
      description: tool.description,
      parameters,
      method: 'GET',
      url: tool.url,
      headers: { Authorization: 'Bearer r4nd0m-and-long-w9Qz' },
      query: tool.query,
      timeout_seconds: 5,
      pre_call_message: tool.pre_call_message,
      save: tool.save,
    },
    data: tool,
  },
})

export const listTools = operation({
  ...voiceAddresses.listTools,
  tag,
  summary: 'List the tools of the workspace, newest first',
  description:
    'Each as `getTool` answers it; secrets are shown by their ends. Agents name a tool by its `tool_id`; names may occur twice, so that agents can have different tools of the same name.',
  query: PageQuery.extend({
    type: ToolType.optional().describe('Only tools of this type. Left out: all.'),
  }),
  data: pageOf(StoredTool),
  example: { query: { type: 'http' }, data: onePage(tool) },
})

export const getTool = operation({
  ...voiceAddresses.getTool,
  tag,
  summary: 'Read one tool',
  description: 'Secrets are shown by their ends and cannot be read back.',
  params: ById,
  data: StoredTool,
  example: { ...byTool, data: tool },
})

export const updateTool = operation({
  ...voiceAddresses.updateTool,
  tag,
  summary: 'Change a tool',
  description:
    'Changes only the keys that are sent, each checked as by `createTool`; objects are replaced as a whole, null clears. A secret that is sent back as it was shown stays what it is. A `url` with another host drops the secrets that were given for the old one, and `warnings` names them. The type does not change. Calls under way go on with the tool as it was.',
  params: ById,
  body: ToolChange,
  data: UpdatedTool,
  example: { ...byTool, body: { timeout_seconds: 8 }, data: { ...tool, timeout_seconds: 8 } },
})

export const deleteTool = operation({
  ...voiceAddresses.deleteTool,
  tag,
  summary: 'Remove a tool',
  description:
    'Refused with RESOURCE_IN_USE while agents name it; the message has their names. Change their `tool_definition_ids` with `updateAgent` first.',
  params: ById,
  data: z.strictObject({
    tool_id: Id.describe('The tool that was removed.'),
    deleted: z.literal(true).describe('It is removed.'),
  }),
  example: { ...byTool, data: { tool_id: exampleIds.tool, deleted: true } },
})

export const tryTool = operation({
  ...voiceAddresses.tryTool,
  tag,
  summary: 'Try a tool with sample arguments',
  description:
    'Sends the request for real and says what came back and what would become of it in a call. Of an MCP server it lists the tools, or calls the one in `tool_name`. The 200 of this operation does not prove that the tool works: `ok` of the answer says that, and `faults` what is wrong.',
  params: ById,
  body: ToolTrial,
  data: ToolTried,
  example: {
    ...byTool,
    body: { arguments: { order: 'A-1007' }, variables: { from_phone_number: '+15550100' } },
    data: {
      ok: true,
      request: {
        method: 'GET',
        url: 'https://shop.example.com/orders/A-1007?phone=%2B15550100',
        headers: { authorization: 'Bea…w9Qz', 'user-agent': 'Parley/1.0' },
        body: null,
      },
      status: 200,
      body: '{"order":{"state":"on its way"}}',
      duration_ms: 84,
      variables: { order_state: 'on its way' },
      tools: null,
      faults: [],
    },
  },
})
