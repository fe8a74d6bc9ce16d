// The language model of an agent: that of the installation, or one of a vendor that it names.
import { useWorkspaces } from '../session/workspace.tsx'
import { SelectField } from '../ui/choice-fields.tsx'
import { TextField, text } from '../ui/fields.tsx'
import { useField } from '../ui/form.tsx'
import { ModelNotice, useModels } from '../ui/model-notice.tsx'
import { Pair, Section } from '../ui/section.tsx'

const config = 'llm_agent.llm_config'

export function ModelSection() {
  const models = useModels(useWorkspaces().current?.workspace_id ?? '')
  const provider = text(useField(`${config}.provider`).value)
  const baseUrl = text(useField(`${config}.base_url`).value)
  const hasServer = provider !== '' || baseUrl !== ''
  const usual = models?.default
  const options = Object.fromEntries(
    (models?.providers ?? []).map(({ provider: name, label, is_ready }) => [
      name,
      is_ready ? `${label} (key of this installation)` : label,
    ]),
  )
  return (
    <Section title="Model" lead="The language model that decides what to say.">
      {models && !usual && !hasServer && <ModelNotice />}
      <Pair>
        <SelectField
          path={`${config}.provider`}
          label="Model provider"
          options={options}
          blank=""
          none={usual ? `This installation (${usual.provider})` : 'This installation'}
        />
        <TextField
          path={`${config}.model`}
          label="Model"
          placeholder={provider ? 'Its name at the provider' : (usual?.model ?? '')}
          autoComplete="off"
          hint={!provider && usual ? `Leave it empty for ${usual.model}.` : undefined}
        />
      </Pair>
      <Pair>
        <TextField
          path={`${config}.api_key`}
          label="API key"
          autoComplete="off"
          spellCheck={false}
          hint="Kept encrypted, and sent to this provider only."
        />
        <TextField
          path={`${config}.base_url`}
          label="Base URL"
          type="url"
          autoComplete="off"
          hint="Leave it empty for the provider’s own address."
        />
      </Pair>
    </Section>
  )
}
