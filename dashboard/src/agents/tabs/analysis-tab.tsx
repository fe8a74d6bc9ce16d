// The tab of the analysis: what is found out about every call after it has ended, and how good it was.
import { RowsField } from '../../ui/forms/rows-field.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { SettingField, Settings } from '../settings.tsx'
import { analysisFlags, analysisPrompts, qualitySettings, webhookSetting } from './other-settings.ts'

const dataTypes = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  date: 'Date',
  time: 'Time',
  amount: 'Amount of money',
  email: 'E-mail address',
  phone: 'Telephone number',
  name: 'Name',
}

export function AnalysisTab() {
  return (
    <>
      <Section title="After each call" lead="The results are on the page of the call.">
        <Settings of={analysisFlags} />
        <Settings of={analysisPrompts} />
      </Section>
      <Section title="Values" lead="What callers said, as fields for your own systems.">
        <RowsField
          path="call_analysis_config.data_extraction_fields"
          label="Values to find"
          one="value"
          fresh={{ field_name: '', data_type: 'string' }}
          columns={[
            { key: 'field_name', label: 'Name', placeholder: 'appointment_day' },
            { key: 'data_type', label: 'Kind', options: dataTypes },
            {
              key: 'description',
              label: 'What to look for',
              wide: true,
              placeholder: 'The day on which they want to come',
            },
          ]}
        />
      </Section>
      <Section title="Outcomes" lead="Yes-or-no questions about how the call went.">
        <RowsField
          path="call_analysis_config.disposition_fields"
          label="Outcomes to check"
          one="outcome"
          hint="An action for your own systems is written in the Advanced tab."
          fresh={{ field_name: '' }}
          columns={[
            { key: 'field_name', label: 'Name', placeholder: 'appointment_booked' },
            {
              key: 'description',
              label: 'When it counts',
              wide: true,
              placeholder: 'They agreed on a day and a time',
            },
          ]}
        />
      </Section>
      <Section title="Quality" lead="A rubric by which every call is scored from 0 to 100.">
        <RowsField
          path="api_tools.quality.rubric"
          label="Questions about the agent"
          one="question"
          fresh={{ name: '', question: '' }}
          columns={[
            { key: 'name', label: 'Name', placeholder: 'greeted' },
            {
              key: 'answer',
              label: 'Answer',
              options: { '': 'Yes or no', scale_1_5: '1 to 5', scale_0_10: '0 to 10' },
            },
            {
              key: 'question',
              label: 'Question',
              wide: true,
              placeholder: 'Did the agent greet the caller?',
            },
            { key: 'weight', label: 'Weight (default 1)', is: 'number' },
          ]}
        />
        <Settings of={qualitySettings} />
      </Section>
      <Section title="Event" lead="Your own systems learn of every call by a webhook.">
        <SettingField setting={webhookSetting} />
      </Section>
    </>
  )
}
