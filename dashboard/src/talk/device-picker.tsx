// Chooses the microphone and the loudspeaker for the next call.
import { useId } from 'react'
import { SelectBox } from '../ui/forms/select-box.tsx'
import { canChooseSpeaker, useDevices } from './devices.ts'

export function DevicePicker({ disabled }: { disabled: boolean }) {
  const { chosen, microphones, speakers, choose } = useDevices()
  return (
    <details className="text-[0.8125rem]">
      <summary className="cursor-pointer rounded font-medium text-muted hover:text-ink">
        Microphone and loudspeaker
      </summary>
      <div className="mt-3 space-y-3">
        <Choice
          label="Microphone"
          options={microphones}
          value={chosen.microphone}
          disabled={disabled}
          onChoose={(microphone) => choose({ microphone })}
        />
        {canChooseSpeaker && (
          <Choice
            label="Loudspeaker"
            options={speakers}
            value={chosen.speaker}
            disabled={disabled}
            onChoose={(speaker) => choose({ speaker })}
          />
        )}
      </div>
    </details>
  )
}

interface ChoiceProps {
  label: string
  options: Record<string, string>
  value: string
  disabled: boolean
  onChoose(deviceId: string): void
}

function Choice({ label, options, value, disabled, onChoose }: ChoiceProps) {
  const id = useId()
  return (
    <div>
      <label htmlFor={id} className="mb-1 block font-medium">
        {label}
      </label>
      <SelectBox
        id={id}
        value={value in options ? value : ''}
        disabled={disabled}
        options={options}
        none="The usual one"
        onChange={({ target }) => onChoose(target.value)}
      />
    </div>
  )
}
