// The tab of the voice: how the agent speaks and hears.
import type { dashboard } from '@parley/contract'
import { useWorkspaces } from '../../session/workspace.tsx'
import { GreetingButton } from '../../talk/talk.ts'
import { TextField, text } from '../../ui/forms/fields.tsx'
import { useField } from '../../ui/forms/form.tsx'
import { type RowColumn, RowsField } from '../../ui/forms/rows-field.tsx'
import { Section } from '../../ui/layout/section.tsx'
import { EngineField, isOffline } from '../engine-field.tsx'
import { More } from '../more.tsx'
import { Settings } from '../settings.tsx'
import { VoicePicker } from '../voice-picker.tsx'
import { hearingBasics, hearingDetails, speakingDetails } from './voice-settings.ts'

const vendorColumn: RowColumn = { key: 'provider', label: 'Vendor', placeholder: 'deepgram' }

interface VoiceTabProps {
  /** Places a call with the draft. */
  place(trial: dashboard.Trial): Promise<dashboard.DraftCall>
}

export function VoiceTab({ place }: VoiceTabProps) {
  const speaks = text(useField('synthesizer.provider').value)
  return (
    <>
      <Section title="Language" lead="What the agent and the caller speak.">
        <TextField
          path="language"
          label="Language"
          placeholder="en"
          autoComplete="off"
          hint="A code such as en or pt-BR, or auto for the caller’s own. Default: English."
        />
      </Section>
      <Section title="Voice" lead="Who speaks the agent’s words.">
        <EngineField part="synthesizer" label="Who speaks" />
        {isOffline(speaks) ? <VoicePicker /> : <VendorVoice place={place} />}
        <More title="More options of the voice" of={speakingDetails} />
      </Section>
      <Section title="Hearing" lead="Who turns what the caller says into text.">
        <EngineField part="transcriber" label="Who listens" />
        <Settings of={hearingBasics} />
        <More title="More options of the recogniser" of={hearingDetails} />
      </Section>
      <Section
        title="When a vendor fails"
        lead="Who takes over during the call, in this order. The offline engines are always the last resort."
      >
        <RowsField
          path="api_tools.fallbacks.synthesizer"
          label="Other voices"
          one="vendor"
          fresh={{ provider: '' }}
          columns={[vendorColumn, { key: 'voice', label: 'Voice', placeholder: 'thalia' }]}
        />
        <RowsField
          path="api_tools.fallbacks.transcriber"
          label="Other recognisers"
          one="vendor"
          fresh={{ provider: '' }}
          columns={[vendorColumn, { key: 'model', label: 'Model', placeholder: 'Its usual one' }]}
        />
      </Section>
    </>
  )
}

/** Plays the agent's greeting in a vendor's voice. Vendors have more voices than can be listed with samples. */
function VendorVoice({ place }: VoiceTabProps) {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const greeting = text(useField('agent_welcome_message').value)
  return (
    <div className="space-y-2">
      <TextField
        path="synthesizer.provider_config.voice"
        label="Voice"
        autoComplete="off"
        hint="The name of a voice of this vendor. Default: its usual one."
      />
      <GreetingButton
        workspaceId={workspaceId}
        place={() => place({})}
        whyNot={greeting ? undefined : 'There is no welcome message to say.'}
      />
    </div>
  )
}
