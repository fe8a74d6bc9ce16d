// The main fields of an agent, in the order in which a call meets them.

import { SelectField } from '../ui/choice-fields.tsx'
import { AreaField, NumberField, TextField } from '../ui/fields.tsx'
import { Pair, Section } from '../ui/section.tsx'
import { conversationNumbers, endpointing } from './agent-numbers.ts'
import { statusWords, synthesizerWords, transcriberWords } from './agent-words.ts'
import { ModelSection } from './model-section.tsx'
import { VoiceField } from './voice-field.tsx'

const { seeding: _byTheServiceOnly, ...statuses } = statusWords

/** Hidden for a new agent: these fields are tuned after a first call. */
export function AgentSections({ isNew }: { isNew: boolean }) {
  return (
    <div>
      <Section title="Agent" lead="Who it is, how it greets, and what it is told to do.">
        <Pair>
          <TextField path="agent_name" label="Name" placeholder="Receptionist" autoComplete="off" />
          <SelectField path="status" label="Status" options={statuses} />
        </Pair>
        <AreaField
          path="agent_welcome_message"
          label="Welcome message"
          rows={2}
          placeholder="Hello, this is Maple Dental. How can I help?"
          hint="The first words of every call."
        />
        <AreaField
          path="agent_prompt"
          label="Prompt"
          rows={10}
          placeholder="You are the receptionist of Maple Dental. Be brief and friendly."
          hint={
            <>
              <code className="font-mono text-xs">{'{variable}'}</code> is filled from the variables of the
              call.
            </>
          }
        />
        <Pair>
          <TextField path="language" label="Language" placeholder="en" autoComplete="off" />
          <TextField
            path="webhook_url"
            label="Webhook URL"
            type="url"
            blank={null}
            placeholder="https://"
            autoComplete="off"
          />
        </Pair>
      </Section>

      <ModelSection />

      <Section title="Transcriber" lead="Turns what the caller says into text.">
        <Pair>
          <SelectField
            path="transcriber.provider"
            label="Transcriber provider"
            options={transcriberWords}
            none="Not set"
          />
          <TextField path="transcriber.model" label="Transcriber model" autoComplete="off" />
        </Pair>
        <Pair>
          <NumberField {...endpointing} />
        </Pair>
      </Section>

      <Section title="Synthesizer" lead="Gives the agent its voice.">
        <Pair>
          <SelectField
            path="synthesizer.provider"
            label="Synthesizer provider"
            options={synthesizerWords}
            none="Not set"
          />
          <VoiceField />
          <TextField
            path="synthesizer.provider_config.voice_id"
            label="Voice ID"
            autoComplete="off"
            hint="Where the provider tells voices apart by an id."
          />
        </Pair>
      </Section>

      {!isNew && (
        <Section title="Conversation" lead="When the agent waits, gives way, and hangs up.">
          <Pair>
            {conversationNumbers.map((number) => (
              <NumberField key={number.path} {...number} />
            ))}
          </Pair>
        </Section>
      )}
    </div>
  )
}
