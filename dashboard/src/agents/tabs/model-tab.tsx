// The tab of the model: that of the installation or a vendor's, and answers that need no model.
import { Link } from '../../router.tsx'
import { useWorkspaces } from '../../session/workspace.tsx'
import { ModelNotice, useModels } from '../../ui/feedback/model-notice.tsx'
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { TextField, text } from '../../ui/forms/fields.tsx'
import { useField } from '../../ui/forms/form.tsx'
import { RowsField } from '../../ui/forms/rows-field.tsx'
import { Pair, Section } from '../../ui/layout/section.tsx'
import { More } from '../more.tsx'
import { Settings } from '../settings.tsx'
import { modelBasics, modelDetails, modelServer } from './model-settings.ts'

const config = 'llm_agent.llm_config'

export function ModelTab() {
  const models = useModels(useWorkspaces().current?.workspace_id ?? '')
  const provider = text(useField(`${config}.provider`).value)
  const baseUrl = text(useField(`${config}.base_url`).value)
  const ownKey = text(useField(`${config}.api_key`).value)
  const usual = models?.default
  const unconnected = models?.providers.find(
    (one) => one.provider === provider && !one.is_ready && ownKey === '' && baseUrl === '',
  )
  const options = Object.fromEntries(
    (models?.providers ?? []).map(({ provider: name, label, is_ready }) => [
      name,
      is_ready ? `${label} (connected here)` : `${label} (needs a key)`,
    ]),
  )
  return (
    <>
      <Section title="Model" lead="The language model that decides what to say.">
        {models && !usual && provider === '' && baseUrl === '' && <ModelNotice />}
        <Pair>
          <SelectField
            path={`${config}.provider`}
            label="Model provider"
            options={options}
            blank=""
            none={usual ? `This installation (${usual.provider})` : 'This installation'}
            hint={
              unconnected ? (
                <>
                  There is no key for {unconnected.label} here: store one under{' '}
                  <Link to="/vendors" className="underline">
                    Vendors
                  </Link>
                  , or give one below.
                </>
              ) : usual ? (
                `Default: this installation, with ${usual.model}.`
              ) : (
                'Default: this installation, whose built-in policy follows simple prompts.'
              )
            }
          />
          <TextField
            path={`${config}.model`}
            label="Model"
            placeholder={provider ? 'Its name at the provider' : (usual?.model ?? '')}
            autoComplete="off"
            hint={
              !provider && usual
                ? `Left empty: ${usual.model}.`
                : 'As its provider calls it; of Azure, the deployment.'
            }
          />
        </Pair>
        <Settings of={modelServer} />
        <Settings of={modelBasics} />
        <More title="More options of the model" of={modelDetails} />
      </Section>
      <Section
        title="Answers without the model"
        lead="Whatever means the same as an example is answered at once, in these words."
      >
        <RowsField
          path="llm_agent.routes.routes"
          label="Routes"
          one="route"
          fresh={{ route_name: '', utterances: [], response: '' }}
          columns={[
            { key: 'route_name', label: 'Name', placeholder: 'price' },
            {
              key: 'score_threshold',
              label: 'Similarity, 0 to 1 (default 0.55)',
              is: 'number',
              placeholder: '0.55',
            },
            {
              key: 'utterances',
              label: 'Examples, one per line',
              is: 'lines',
              placeholder: 'How much is it?',
            },
            { key: 'response', label: 'Answer', wide: true, placeholder: 'It is ten dollars a month.' },
          ]}
        />
      </Section>
    </>
  )
}
