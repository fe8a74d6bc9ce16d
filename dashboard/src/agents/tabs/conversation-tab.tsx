// The tab of the conversation: when the agent waits, gives way and hangs up; what it must not say, keep or record.
import { ChecksField } from '../../ui/forms/choice-fields.tsx'
import { RowsField } from '../../ui/forms/rows-field.tsx'
import { isTree } from '../../ui/forms/tree.ts'
import { Section } from '../../ui/layout/section.tsx'
import { Settings } from '../settings.tsx'
import {
  endSettings,
  fillerSettings,
  memorySettings,
  railSettings,
  recordingSettings,
  silenceSettings,
  turnSettings,
} from './conversation-settings.ts'

const personalData = {
  card_number: 'Numbers of cards',
  email: 'E-mail addresses',
  phone: 'Telephone numbers',
  iban: 'Bank accounts (IBAN)',
  date_of_birth: 'Dates of birth',
  national_id: 'National identity numbers',
}

/** A topic as an object: over the API it may also be written as a text. */
const asTopic = (written: unknown) => (isTree(written) ? written : { topic: String(written ?? '') })

export function ConversationTab() {
  return (
    <>
      <Section title="Turns" lead="When the agent answers, and how it is interrupted.">
        <Settings of={turnSettings} />
      </Section>
      <Section title="Silence" lead="What the agent does when nobody speaks.">
        <Settings of={silenceSettings} />
      </Section>
      <Section title="End" lead="When the call is over, and what is said then.">
        <Settings of={endSettings} />
      </Section>
      <Section title="Sound" lead="What is heard besides the words.">
        <Settings of={fillerSettings} />
      </Section>
      <Section title="Guard rails" lead="What the agent must not talk about or say.">
        <RowsField
          path="api_tools.guard_rails.refuse_topics"
          label="Refused topics"
          one="topic"
          read={asTopic}
          fresh={{ topic: '' }}
          columns={[
            { key: 'topic', label: 'Topic', wide: true, placeholder: 'Medical advice' },
            { key: 'examples', label: 'Examples of questions, one per line', is: 'lines' },
            { key: 'words', label: 'Words that mark it, one per line', is: 'lines' },
          ]}
        />
        <Settings of={railSettings} />
      </Section>
      <Section title="Privacy" lead="What is masked in the record, and whether calls are recorded.">
        <ChecksField
          path="api_tools.guard_rails.mask"
          label="Mask in transcript, events and recording"
          options={personalData}
          every="all"
          hint="Default: nothing is masked. The model still gets the words as they were said."
        />
        <Settings of={recordingSettings} />
      </Section>
      <Section title="Memory" lead="What it knows of a caller from earlier calls.">
        <Settings of={memorySettings} />
      </Section>
    </>
  )
}
