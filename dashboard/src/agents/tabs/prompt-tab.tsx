// The tab of the prompt: who the agent is, how it greets, and what it is told to do.
import { SelectField } from '../../ui/forms/choice-fields.tsx'
import { AreaField, TextField } from '../../ui/forms/fields.tsx'
import { Pair, Section } from '../../ui/layout/section.tsx'
import { statusWords } from '../agent-words.ts'
import { PromptField } from '../prompt-field.tsx'
import { SettingField } from '../settings.tsx'
import { timezoneSetting } from './other-settings.ts'

const { seeding: _byTheServiceOnly, ...statuses } = statusWords

export function PromptTab() {
  return (
    <>
      <Section title="Agent" lead="Who it is, and whether it takes calls.">
        <Pair>
          <TextField
            path="agent_name"
            label="Name"
            placeholder="Receptionist"
            autoComplete="off"
            hint="For people; callers do not hear it."
          />
          <SelectField
            path="status"
            label="Status"
            options={statuses}
            hint="Only an active agent takes calls. Default: active."
          />
        </Pair>
      </Section>
      <Section title="Words" lead="How it greets, and what it is told to do.">
        <AreaField
          path="agent_welcome_message"
          label="Welcome message"
          rows={2}
          placeholder="Hello, this is Maple Dental. How can I help?"
          hint="The first words of every call. Empty: it waits for the caller to speak."
        />
        <PromptField />
        <SettingField setting={timezoneSetting} />
      </Section>
    </>
  )
}
