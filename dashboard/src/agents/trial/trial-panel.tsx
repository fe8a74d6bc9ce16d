// The panel that tries the agent as it is on the screen, saved or not: by voice, by typing, or with a character of the sandbox.
import type { dashboard } from '@parley/contract'
import { type SandboxCharacter, sandboxCharacters } from '@parley/contract/sandbox-characters'
import { type FormEvent, useEffect, useId, useState, useSyncExternalStore } from 'react'
import { CallRecord, Conversation } from '../../calls/calls.ts'
import { Link } from '../../router.tsx'
import { BrowserCall, chosenDevices, isUnderWay, LevelBar } from '../../talk/talk.ts'
import { Button } from '../../ui/controls/button.tsx'
import { Icon } from '../../ui/controls/icons.tsx'
import { RefusalNotice } from '../../ui/feedback/refusal-notice.tsx'
import { WarningList } from '../../ui/feedback/warning-list.tsx'
import { boxLooks } from '../../ui/forms/field.tsx'
import { height, text } from '../../ui/forms/fields.tsx'
import { SelectBox } from '../../ui/forms/select-box.tsx'
import type { Tree } from '../../ui/forms/tree.ts'
import { Badge } from '../../ui/words/badge.tsx'
import { plainWords } from '../../ui/words/plain-words.ts'
import { useVariables } from '../prompt-field.tsx'
import { asked } from '../variables.ts'

type TrialMode = 'talk' | 'type' | 'simulate'

interface TrialPanelProps {
  workspaceId: string
  /** The configuration on the screen. */
  config: Tree
  unsaved: boolean
  /** Places the call with the configuration on the screen. */
  place(trial: dashboard.Trial): Promise<dashboard.DraftCall>
  onClose(): void
}

const modeWords: Record<TrialMode, string> = { type: 'Type', talk: 'Talk', simulate: 'Simulate' }
const starts: Record<TrialMode, string> = {
  type: 'Start a chat',
  talk: 'Start talking',
  simulate: 'Start the call',
}
const hints: Record<TrialMode, string> = {
  type: 'You write, the agent speaks. Writing while it speaks interrupts it, as speaking would.',
  talk: 'Your browser will ask for the microphone.',
  simulate: 'The agent calls somebody of the sandbox. Nobody is really called.',
}

export function TrialPanel({ workspaceId, config, unsaved, place, onClose }: TrialPanelProps) {
  const [call] = useState(() => new BrowserCall())
  const view = useSyncExternalStore(call.watch, () => call.view)
  const { stage, live, error, warnings, sessionId } = view
  // The mode in which the current call was begun; `mode` is the choice for the next one.
  const [running, setRunning] = useState<TrialMode>('type')
  const [mode, setMode] = useState<TrialMode>('type')
  const [character, setCharacter] = useState<SandboxCharacter>('talkative')
  const [lines, setLines] = useState('')
  const [values, setValues] = useState<Record<string, string>>({})
  const wanted = asked(useVariables(config)).map(({ name }) => name)
  const titleId = useId()
  useEffect(() => () => call.close(), [call])

  const busy = isUnderWay(view)
  const begin = () => {
    const given = Object.fromEntries(wanted.flatMap((name) => (values[name] ? [[name, values[name]]] : [])))
    const said = lines
      .split('\n')
      .map((line) => line.trim())
      .filter(Boolean)
    const whom = mode === 'simulate' ? { character, ...(said.length > 0 && { lines: said }) } : {}
    setRunning(mode)
    void call.start({
      workspaceId,
      microphone: mode === 'talk' ? chosenDevices().microphone : undefined,
      place: () => place({ variables: given, ...whom }),
    })
  }
  return (
    <aside
      aria-labelledby={titleId}
      className="fixed inset-x-0 bottom-0 z-30 flex h-[82dvh] flex-col overflow-hidden rounded-t-xl border border-line bg-surface shadow-2xl xl:sticky xl:inset-auto xl:self-start xl:top-6 xl:z-10 xl:h-[calc(100dvh-11rem)] xl:rounded-xl xl:shadow-card"
    >
      <div className="flex items-center gap-2 border-b border-line px-4 py-2.5">
        <h2 id={titleId} className="font-semibold">
          Test
        </h2>
        <Badge tone={unsaved ? 'wait' : 'off'}>{unsaved ? 'With unsaved changes' : 'As saved'}</Badge>
        <Button
          kind="quiet"
          size="small"
          aria-label="Close the test"
          onClick={onClose}
          className="ml-auto -mr-2"
        >
          <Icon name="close" />
        </Button>
      </div>
      {!busy && (
        <div className="max-h-[60%] shrink-0 space-y-3 overflow-y-auto border-b border-line p-4">
          <Modes mode={mode} onChoose={setMode} />
          <p className="text-[0.8125rem] text-muted">{hints[mode]}</p>
          {mode === 'simulate' && (
            <Characters character={character} lines={lines} onCharacter={setCharacter} onLines={setLines} />
          )}
          <VariableInputs names={wanted} values={values} onChange={setValues} />
          {error && <RefusalNotice error={error} />}
          <Button kind="primary" className="w-full" onClick={begin}>
            <Icon name={mode === 'talk' ? 'microphone' : 'calls'} />
            {starts[mode]}
          </Button>
        </div>
      )}
      <WarningList warnings={warnings} />
      <section aria-label="Conversation" className="flex min-h-0 flex-1 flex-col">
        {stage.is === 'idle' ? (
          <p className="m-auto max-w-64 p-6 text-center text-balance text-muted">
            The conversation appears here. The record of the call says that it was a test.
          </p>
        ) : (
          <Conversation
            live={live}
            agentName={text(config.agent_name) || 'Agent'}
            begun
            {...(running === 'simulate' && { callerName: 'Simulated person' })}
          />
        )}
        {stage.is === 'over' && (
          <>
            <CallRecord record={stage.record} live={live} />
            <p className="border-t border-line px-4 py-2 text-[0.8125rem]">
              <Link to={`/calls/${sessionId}`} className="font-medium text-accent-ink hover:underline">
                Open the record of this call
              </Link>
            </p>
          </>
        )}
      </section>
      {busy && (
        <RunningCall call={call} connecting={stage.is === 'connecting'} mode={running} error={error} />
      )}
    </aside>
  )
}

function Modes({ mode, onChoose }: { mode: TrialMode; onChoose(mode: TrialMode): void }) {
  return (
    <fieldset className="grid grid-cols-3 rounded-lg bg-hover p-1">
      <legend className="sr-only">How to test</legend>
      {(Object.keys(modeWords) as TrialMode[]).map((one) => (
        <label
          key={one}
          className="cursor-pointer rounded-md py-1 text-center text-[0.8125rem] font-medium text-muted has-checked:bg-surface has-checked:text-ink has-checked:shadow-card has-focus-visible:outline-2 has-focus-visible:outline-accent"
        >
          <input
            type="radio"
            name="trial-mode"
            checked={one === mode}
            onChange={() => onChoose(one)}
            className="sr-only"
          />
          {modeWords[one]}
        </label>
      ))}
    </fieldset>
  )
}

const characterWords = Object.fromEntries(
  Object.entries(sandboxCharacters).map(([name, { about }]) => [name, `${plainWords(name)}: ${about}`]),
)

interface CharactersProps {
  character: SandboxCharacter
  lines: string
  onCharacter(character: SandboxCharacter): void
  onLines(lines: string): void
}

function Characters({ character, lines, onCharacter, onLines }: CharactersProps) {
  const id = useId()
  return (
    <>
      <div>
        <label htmlFor={`${id}-who`} className="mb-1 block text-[0.8125rem] font-medium">
          Whom it meets
        </label>
        <SelectBox
          id={`${id}-who`}
          value={character}
          options={characterWords}
          onChange={({ target }) => onCharacter(target.value as SandboxCharacter)}
        />
      </div>
      <div>
        <label htmlFor={`${id}-lines`} className="mb-1 block text-[0.8125rem] font-medium">
          What they say
        </label>
        <textarea
          id={`${id}-lines`}
          rows={2}
          value={lines}
          placeholder="Left empty: as they are. Otherwise a line after each answer."
          onChange={({ target }) => onLines(target.value)}
          className={`${boxLooks} py-1.5`}
        />
      </div>
    </>
  )
}

interface VariableInputsProps {
  names: readonly string[]
  values: Record<string, string>
  onChange(values: Record<string, string>): void
}

function VariableInputs({ names, values, onChange }: VariableInputsProps) {
  const id = useId()
  if (names.length === 0) return null
  return (
    <fieldset className="space-y-2">
      <legend className="text-[0.8125rem] font-medium">Variables of this call</legend>
      {names.map((name) => (
        <div key={name} className="flex items-center gap-2">
          <label htmlFor={`${id}-${name}`} className="w-2/5 truncate font-mono text-xs">
            {`{${name}}`}
          </label>
          <input
            id={`${id}-${name}`}
            autoComplete="off"
            value={values[name] ?? ''}
            onChange={({ target }) => onChange({ ...values, [name]: target.value })}
            className={`${boxLooks} ${height}`}
          />
        </div>
      ))}
    </fieldset>
  )
}

interface RunningCallProps {
  call: BrowserCall
  connecting: boolean
  mode: TrialMode
  error: Error | undefined
}

function RunningCall({ call, connecting, mode, error }: RunningCallProps) {
  const [words, setWords] = useState('')
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (words.trim()) call.type(words.trim())
    setWords('')
  }
  return (
    <div className="space-y-2.5 border-t border-line p-3">
      {mode !== 'simulate' && (
        <div className="space-y-1.5">
          {mode === 'talk' && <LevelBar label="You" meter={call.you} />}
          <LevelBar label="Agent" meter={call.them} />
        </div>
      )}
      {mode !== 'simulate' && (
        <form onSubmit={send} className="flex gap-2">
          <input
            aria-label="What you say"
            autoComplete="off"
            placeholder="Write what you would say"
            value={words}
            disabled={connecting}
            onChange={({ target }) => setWords(target.value)}
            className={`${boxLooks} ${height}`}
          />
          <Button type="submit" kind="primary" disabled={connecting || words.trim() === ''}>
            Send
          </Button>
        </form>
      )}
      {error && <RefusalNotice error={error} />}
      <Button kind="danger" className="w-full" onClick={() => call.hangUp()}>
        <Icon name="hangUp" className="size-5" />
        {mode === 'simulate' ? 'Stop the call' : 'Hang up'}
      </Button>
    </div>
  )
}
