// The fields of a tool, with what each is for.
import { SelectField } from '../ui/forms/choice-fields.tsx'
import {
  AreaField,
  headerLines,
  LinesField,
  listOfLines,
  NumberField,
  TextField,
} from '../ui/forms/fields.tsx'
import { JsonValueField } from '../ui/forms/json-value-field.tsx'
import { Pair, Section } from '../ui/layout/section.tsx'

export function ToolFields({ type, isNew }: { type: unknown; isNew: boolean }) {
  return (
    <>
      <Section title="Tool" lead="How the model knows it, and when it uses it.">
        <Pair>
          <TextField
            path="name"
            label="Name"
            placeholder="order_status"
            hint={
              type === 'built_in'
                ? 'One of end_call, transfer_call, send_dtmf and set_variable.'
                : 'Letters, digits, _ and -.'
            }
            autoComplete="off"
            spellCheck={false}
          />
          {isNew && (
            <SelectField
              path="type"
              label="Kind"
              options={{ http: 'HTTP request', mcp: 'MCP server', built_in: 'Built in' }}
              hint="Built in: other words for a tool of the call itself."
            />
          )}
        </Pair>
        <AreaField
          path="description"
          label="Description"
          rows={3}
          placeholder="Looks up the state of an order by its number."
          hint="For the model: what it does and when to use it."
        />
        <TextField
          path="pre_call_message"
          label="Said while it runs"
          blank={null}
          placeholder="One moment, I look it up."
          hint="Empty: nothing. {placeholders} are filled in."
        />
      </Section>
      {type !== 'built_in' && (
        <Section title="Address" lead="Public https, or a host that the operator trusts.">
          <TextField
            path="url"
            label="URL"
            type="url"
            placeholder="https://shop.example.com/orders/{order}"
            hint="{placeholders} may stand in the path and the query."
            autoComplete="off"
            spellCheck={false}
          />
          <LinesField
            {...headerLines}
            path="headers"
            label="Headers"
            rows={2}
            placeholder="Authorization: Bearer …"
            hint="Name: value, one per line. Values are stored encrypted; only their first and last characters are shown."
          />
          <Pair>
            {type === 'http' && (
              <SelectField
                path="method"
                label="Method"
                options={{ GET: 'GET', POST: 'POST', PUT: 'PUT', PATCH: 'PATCH', DELETE: 'DELETE' }}
                none="POST"
                blank={null}
              />
            )}
            <NumberField
              path="timeout_seconds"
              label="Wait at most"
              unit="seconds"
              min={1}
              hint="Up to 30. Empty: 10."
            />
          </Pair>
          {type === 'mcp' && (
            <LinesField
              {...listOfLines}
              path="tool_names"
              label="Only these tools of the server"
              rows={3}
              hint="One per line. Empty: all of them."
            />
          )}
        </Section>
      )}
      {type === 'http' && (
        <Section title="Request" lead="What the model has to provide, and how it is sent.">
          <JsonValueField
            path="parameters"
            label="Arguments"
            rows={7}
            placeholder={'{\n  "type": "object",\n  "properties": { "order": { "type": "string" } }\n}'}
            hint="A JSON Schema. Empty: it takes none."
          />
          <JsonValueField
            path="query"
            label="Query"
            rows={3}
            hint="Names and templates as JSON. Empty: the arguments, if there is no body."
          />
          <JsonValueField
            path="body"
            label="Body"
            rows={4}
            hint="A JSON template. Empty: the arguments with POST, PUT and PATCH."
          />
        </Section>
      )}
      {type !== 'built_in' && (
        <Section title="Answer" lead="Which parts of the answer the call remembers.">
          <JsonValueField
            path="save"
            label="Variables from the answer"
            rows={3}
            placeholder={'{ "order_state": "order.state" }'}
            hint="Variable to path, as JSON. Empty: none."
          />
        </Section>
      )}
    </>
  )
}
