// A list of the installation's voices, each with a sample to hear: first those of the agent's language, the others folded
// away.
import type { Voice } from '@parley/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { api, recordingAt } from '../api.ts'
import { useWorkspaces } from '../session/workspace.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { ListSkeleton } from '../ui/feedback/skeleton.tsx'
import { text } from '../ui/forms/fields.tsx'
import { useField } from '../ui/forms/form.tsx'

const languages = new Intl.DisplayNames('en', { type: 'language' })
const path = 'synthesizer.provider_config.voice'
// Kokoro writes the language and the gender before the name: af_heart.
const languagePrefix = /^[a-z]{2}_/

export function VoicePicker() {
  const workspaceId = useWorkspaces().current?.workspace_id ?? ''
  const voices = useQuery({ queryKey: ['voices', workspaceId], queryFn: () => api.voices(workspaceId) })
  const { value, set } = useField(path)
  const language = text(useField('language').value)
  const [heard, hear] = useSample()
  if (voices.isPending) return <ListSkeleton rows={2} />
  if (voices.isError) return <RefusalNotice error={voices.error} />
  const usual = voices.data.find(({ is_default }) => is_default)?.name
  const chosen = text(value).toLowerCase() || usual
  const spoken = (language || 'en').slice(0, 2).toLowerCase()
  // The order within a language is that of the server, the most natural first.
  const { own = [], other = [] } = Object.groupBy(voices.data, (voice) =>
    voice.language.startsWith(spoken) ? 'own' : 'other',
  )
  const cards = (of: readonly Voice[]) => (
    <ul className="grid gap-2 @lg:grid-cols-2">
      {of.map((voice) => (
        <VoiceCard
          key={voice.name}
          voice={voice}
          chosen={voice.name === chosen}
          playing={heard === voice.name}
          onChoose={() => set(voice.name)}
          onPlay={() => hear(voice)}
        />
      ))}
    </ul>
  )
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">Voice</legend>
      {cards(own)}
      {other.length > 0 && (
        <details
          open={own.length === 0 || other.some(({ name }) => name === chosen)}
          className="mt-2 text-[0.8125rem]"
        >
          <summary className="cursor-pointer rounded text-muted">
            {other.length} {other.length === 1 ? 'voice' : 'voices'} of other languages
          </summary>
          <div className="mt-2 text-sm">{cards(other)}</div>
        </details>
      )}
      <p className="mt-1.5 text-[0.8125rem] text-muted">
        Default: {usual}. They speak offline and cost nothing.
      </p>
    </fieldset>
  )
}

interface VoiceCardProps {
  voice: Voice
  chosen: boolean
  playing: boolean
  onChoose(): void
  onPlay(): void
}

function VoiceCard({ voice: { name, language, gender, engine, is_default }, ...props }: VoiceCardProps) {
  const { chosen, playing, onChoose, onPlay } = props
  return (
    <li
      className={`flex items-center gap-2 rounded-lg border px-3 py-2 ${chosen ? 'border-accent bg-accent-soft' : 'border-line'}`}
    >
      <label className="flex min-w-0 flex-1 items-center gap-2.5">
        <input
          type="radio"
          name={path}
          checked={chosen}
          onChange={onChoose}
          className="size-4 accent-accent"
        />
        <span className="min-w-0">
          <span className="block font-medium first-letter:uppercase" title={name}>
            {name.replace(languagePrefix, '')}
          </span>
          <span className={`block truncate text-xs ${chosen ? 'text-ink' : 'text-muted'}`}>
            {languages.of(language)}, {gender}
            {is_default ? ', default' : ''} · {engine}
          </span>
        </span>
      </label>
      <Button size="small" onClick={onPlay} aria-label={playing ? `Stop ${name}` : `Hear ${name}`}>
        <Icon name={playing ? 'pause' : 'play'} className="size-3.5" />
      </Button>
    </li>
  )
}

/** The voice whose sample is playing, and a function that starts or stops one. */
function useSample(): [string | undefined, (voice: Voice) => void] {
  const audio = useRef<HTMLAudioElement | null>(null)
  const [heard, setHeard] = useState<string>()
  useEffect(() => () => audio.current?.pause(), [])
  const hear = ({ name, sample }: Voice) => {
    audio.current?.pause()
    if (heard === name) return setHeard(undefined)
    const sound = new Audio(recordingAt(sample.url))
    audio.current = sound
    const done = () => setHeard((now) => (now === name ? undefined : now))
    sound.onended = done
    setHeard(name)
    sound.play().catch(done)
  }
  return [heard, hear]
}
