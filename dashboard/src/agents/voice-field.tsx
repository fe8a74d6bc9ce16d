// The voice of an agent: any name a vendor knows, or one of the voices of this installation, which can be heard here.
import type { Voice } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useId, useRef, useState } from 'react'
import { api } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Button } from '../ui/button.tsx'
import { boxLooks, Field } from '../ui/field.tsx'
import { height, text } from '../ui/fields.tsx'
import { useField } from '../ui/form.tsx'

const languages = new Intl.DisplayNames('en', { type: 'language' })
const path = 'synthesizer.provider_config.voice'

export function VoiceField() {
  const { value, set, fault } = useField(path)
  const voices = useVoices()
  const list = useId()
  const usual = voices.find(({ is_default }) => is_default)
  const chosen = text(value) ? voices.find(({ name }) => name === text(value).toLowerCase()) : usual
  return (
    <Field
      label="Voice"
      hint={voices.length > 0 && 'Voices of this installation need no provider. Choose one to hear it.'}
      fault={fault}
    >
      {(wiring) => (
        <div className="flex gap-2">
          <input
            {...wiring}
            name={path}
            list={list}
            autoComplete="off"
            placeholder={usual?.name}
            value={text(value)}
            onChange={(event) => set(event.target.value)}
            className={`${boxLooks} ${height} [&::-webkit-calendar-picker-indicator]:opacity-40`}
          />
          <datalist id={list}>
            {voices.map(({ name, language, gender }) => (
              <option key={name} value={name}>{`${languages.of(language)}, ${gender}`}</option>
            ))}
          </datalist>
          {chosen && <PlayButton key={chosen.name} voice={chosen} />}
        </div>
      )}
    </Field>
  )
}

/** Empty while loading. */
function useVoices(): readonly Voice[] {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const { data = [] } = useQuery({
    queryKey: ['voices', workspaceId],
    queryFn: () => api.voices(workspaceId),
    enabled: workspaceId !== '',
  })
  return data
}

function PlayButton({ voice }: { voice: Voice }) {
  const audio = useRef<HTMLAudioElement | null>(null)
  const [playing, setPlaying] = useState(false)
  useEffect(() => () => audio.current?.pause(), [])
  const play = () => {
    audio.current?.pause()
    // The path only: this page may be open under another name than the public one.
    const { pathname, search } = new URL(voice.sample.url)
    const sound = new Audio(pathname + search)
    audio.current = sound
    sound.onended = () => setPlaying(false)
    setPlaying(true)
    sound.play().catch(() => setPlaying(false))
  }
  return (
    <Button onClick={play} busy={playing}>
      Hear {voice.name}
    </Button>
  )
}
