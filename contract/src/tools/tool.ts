// Tools of a workspace: requests that agents can make while they talk, MCP servers, and the tools of the call itself.
import { z } from 'zod'
import { Variables } from '../calls/call.ts'
import { Id, listOf, Open, Text, Timestamp } from '../words.ts'

export const ToolType = z.enum(['http', 'mcp', 'built_in'])
export type ToolType = z.infer<typeof ToolType>

/** The tools of the call itself, which need no server. */
export const builtInTools = ['end_call', 'transfer_call', 'send_dtmf', 'set_variable'] as const

export const ToolMethod = z.enum(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'])
export type ToolMethod = z.infer<typeof ToolMethod>

const ToolName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_-]*$/, 'Letters, digits, _ and -, beginning with a letter or _.')

/** The name of a variable, as it is written in `{braces}`. */
export const VariableName = z
  .string()
  .max(64)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, 'Letters, digits and _, beginning with a letter or _.')

const HeaderName = z
  .string()
  .max(128)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'The name of an HTTP header.')

const HeaderValue = z
  .string()
  .max(8_192)
  .regex(/^[^\r\n]*$/, 'One line.')

const Parameters = Open.describe(
  'A JSON Schema, draft 2020-12, whose `type` is object: what the model has to give.',
)

const Query = z.record(Text.max(256), z.union([Text, z.number(), z.boolean()]))

const Path = z
  .string()
  .min(1)
  .max(256)
  .regex(
    /^\$?[^\s]*$/,
    'A path through the answer, such as order.items.0.id, without spaces; $ is the whole answer.',
  )

/** The longest timeout in seconds. The caller waits in silence meanwhile, and half a minute is the end of any patience. */
const TimeoutSeconds = z.number().min(0.5).max(30)

const changeable = {
  description: Text.max(4_096)
    .nullish()
    .describe(
      'What it does and when to use it, for the model. Of an MCP server: what comes before the server’s own description of each tool. Left out or null: nothing, or what Parley says of a built-in tool.',
    ),
  parameters: Parameters.nullish().describe(
    'A JSON Schema, draft 2020-12, of the arguments; http only. Left out or null: it takes none.',
  ),
  method: ToolMethod.nullish().describe('The HTTP method; http only. Left out or null: POST.'),
  headers: z
    .record(HeaderName, HeaderValue)
    .nullish()
    .describe(
      'Sent with every request; http and mcp. Values are kept encrypted and shown by their ends, except placeholders and headers such as content-type. Left out or null: none.',
    ),
  query: Query.nullish().describe(
    'The query as a template, `{placeholders}` included; http only. Left out or null: the arguments that are not in the path if there is no body, otherwise none.',
  ),
  body: z
    .union([Open, z.array(z.unknown()).max(1_000), Text])
    .nullish()
    .describe(
      'The JSON body as a template: an object, a list, or a text with its JSON; http only, not with GET. Left out or null: the arguments with POST, PUT and PATCH, otherwise none.',
    ),
  tool_names: listOf(Text.min(1).max(128))
    .nullish()
    .describe('Which tools of the server agents may use; mcp only. Left out or null: all of them.'),
  timeout_seconds: TimeoutSeconds.nullish().describe(
    'Seconds to wait for an answer, from 0.5 to 30; http and mcp. Left out or null: 10.',
  ),
  pre_call_message: Text.max(1_024)
    .nullish()
    .describe('Said while it runs, `{placeholders}` included. Left out or null: nothing.'),
  save: z
    .record(VariableName, Path)
    .nullish()
    .describe(
      'Fields of the answer that become variables of the call, by the name of the variable: a path such as order.state or items.0.id, or $ for all of it; http and mcp. Left out or null: none.',
    ),
}

const Url = z
  .string()
  .max(2_048)
  .regex(/^https?:\/\//, 'Begins with https://.')

export const NewTool = z
  .strictObject({
    type: ToolType.describe(
      '`http`: one request. `mcp`: an MCP server with tools of its own, over streamable HTTP. `built_in`: another description for a tool of the call itself.',
    ),
    name: ToolName.describe(
      'What the model calls it by. Of an MCP server: yours. Of a built-in tool: end_call, transfer_call, send_dtmf or set_variable.',
    ),
    url: Url.nullish().describe(
      'Where it is: public https, or a trusted host of the operator’s. The path and the query may have `{placeholders}`, the host may not. Left out or null: only with built_in.',
    ),
    ...changeable,
  })
  .meta({ id: 'NewTool', description: 'A tool as it is created.' })
export type NewTool = z.infer<typeof NewTool>

export const ToolChange = z
  .strictObject({
    name: ToolName.optional().describe(
      'What the model calls it by. The name of a built-in tool does not change.',
    ),
    url: Url.optional().describe(
      'Where it is. Secrets that were given for another host are dropped, with a warning.',
    ),
    ...changeable,
  })
  .meta({ id: 'ToolChange', description: 'Changes of a tool: only the fields that are sent.' })
export type ToolChange = z.infer<typeof ToolChange>

export const StoredTool = z
  .strictObject({
    tool_id: Id.describe('Names the tool in `tool_definition_ids` of agents and in other requests.'),
    type: ToolType.describe('What it is.'),
    name: Text.describe('What the model calls it by.'),
    description: Text.nullable().describe('For the model. null: nothing of your own.'),
    parameters: Parameters.nullable().describe('The JSON Schema of its arguments. null: it takes none.'),
    url: Text.nullable().describe('Where it is. null: a built-in tool.'),
    method: ToolMethod.nullable().describe('The HTTP method. null: it is no HTTP request.'),
    headers: z
      .record(Text.max(128), Text)
      .nullable()
      .describe('Sent with every request; secrets are shown by their ends. null: none.'),
    query: Query.nullable().describe('The query as a template. null: none of its own.'),
    body: z.unknown().describe('The body as a template. null: none of its own.'),
    tool_names: listOf(Text)
      .nullable()
      .describe('Which tools of the MCP server are used. null: all, or it is no MCP server.'),
    timeout_seconds: z.number().nullable().describe('Seconds to wait for an answer. null: a built-in tool.'),
    pre_call_message: Text.nullable().describe('Said while it runs. null: nothing.'),
    save: z
      .record(Text.max(128), Text)
      .nullable()
      .describe('Fields of the answer that become variables. null: none.'),
    created_at: Timestamp.describe('When it was created.'),
    updated_at: Timestamp.describe('When it last changed.'),
  })
  .meta({ id: 'Tool', description: 'A tool of the workspace.' })
export type StoredTool = z.infer<typeof StoredTool>

export const UpdatedTool = StoredTool.extend({
  warnings: listOf(
    z
      .strictObject({
        path: Text.describe('The field that was dropped, as in headers.Authorization.'),
        message: Text.describe('Why, in one sentence.'),
      })
      .describe('One secret that was dropped.'),
  )
    .optional()
    .describe('Secrets that were dropped because their host changed. Left out: there were none.'),
}).meta({ id: 'UpdatedTool', description: 'A tool after an update.' })
export type UpdatedTool = z.infer<typeof UpdatedTool>

export const ToolTrial = z
  .strictObject({
    arguments: Open.optional().describe('What the model would give. Left out: nothing.'),
    variables: Variables.optional().describe('The variables of the imagined call. Left out: none.'),
    tool_name: Text.min(1)
      .max(128)
      .nullish()
      .describe(
        'Which tool of an MCP server to call. Left out or null: its tools are listed, none is called.',
      ),
  })
  .meta({ id: 'ToolTrial', description: 'Sample arguments for a tool.' })
export type ToolTrial = z.infer<typeof ToolTrial>

const OfferedTool = z
  .strictObject({
    name: Text.describe('Its name at the server, as in `tool_names`.'),
    description: Text.describe('What the server says of it.'),
    parameters: Open.describe('The JSON Schema of its arguments.'),
    chosen: z.boolean().describe('Whether agents may use it.'),
  })
  .describe('A tool of an MCP server.')

export const ToolTried = z
  .strictObject({
    ok: z.boolean().describe('Whether it answered as it should: there are no faults.'),
    request: z
      .strictObject({
        method: Text.describe('The HTTP method.'),
        url: Text.describe('With everything filled in.'),
        headers: z.record(Text.max(128), Text).describe('With secrets shown by their ends.'),
        body: Text.nullable().describe('As it was sent. null: none.'),
      })
      .nullable()
      .describe('What was sent. null: nothing was, or it went to an MCP server.'),
    status: z
      .int()
      .nullable()
      .describe('The HTTP status code. null: there was no answer, or it is no HTTP request.'),
    body: Text.nullable().describe('What the model would read, at most 16 kB. null: there was no answer.'),
    duration_ms: z.number().min(0).describe('Milliseconds that it took.'),
    variables: z.record(Text.max(128), Text).describe('What `save` would make of the answer.'),
    tools: listOf(OfferedTool)
      .nullable()
      .describe('What the MCP server offers. null: it is none, or could not be asked.'),
    faults: listOf(Text).describe('What is wrong and what to do about it, in sentences.'),
  })
  .meta({ id: 'ToolTried', description: 'What became of a trial.' })
export type ToolTried = z.infer<typeof ToolTried>
