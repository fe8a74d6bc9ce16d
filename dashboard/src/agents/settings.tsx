// Fields made from descriptions of settings.
import { type ReactNode, useId } from 'react'
import { SelectField } from '../ui/forms/choice-fields.tsx'
import { boxLooks, Field } from '../ui/forms/field.tsx'
import { AreaField, height, LinesField, listOfLines, TextField, text } from '../ui/forms/fields.tsx'
import { useField } from '../ui/forms/form.tsx'
import { JsonValueField } from '../ui/forms/json-value-field.tsx'
import { isTree } from '../ui/forms/tree.ts'
import { Pair } from '../ui/layout/section.tsx'
import { numberFault, type Setting, usualWords } from './setting.ts'

const isWide = ({ is }: Setting) => is === 'area' || is === 'list' || is === 'json'

/** The fields in rows of two, except those that need the whole width. */
export function Settings({ of }: { of: readonly Setting[] }) {
  const narrow = of.filter((setting) => !isWide(setting) && setting.is !== 'flag')
  return (
    <>
      {narrow.length > 0 && (
        <Pair>
          {narrow.map((setting) => (
            <SettingField key={setting.path} setting={setting} />
          ))}
        </Pair>
      )}
      {of
        .filter((setting) => !narrow.includes(setting))
        .map((setting) => (
          <SettingField key={setting.path} setting={setting} />
        ))}
    </>
  )
}

type Of<Is extends Setting['is']> = Extract<Setting, { is: Is }>
type Words = Extract<Setting, { blank?: unknown; is: 'text' | 'area' | 'secret' | 'url' }>

export function SettingField({ setting }: { setting: Setting }) {
  const { path, label } = setting
  const hint = <Help setting={setting} />
  switch (setting.is) {
    case 'number':
      return <NumberSetting setting={setting} />
    case 'flag':
      return <FlagSetting setting={setting} />
    case 'choice':
      return (
        <SelectField
          path={path}
          label={label}
          hint={hint}
          options={setting.options}
          none="Default"
          {...(setting.blank !== undefined && { blank: setting.blank })}
        />
      )
    case 'area':
      return <WordsSetting setting={setting} hint={hint} rows={3} />
    case 'list':
      return (
        <LinesField path={path} label={label} hint={hint} rows={3} {...placed(setting)} {...listOfLines} />
      )
    case 'json':
      return <JsonValueField path={path} label={label} hint={hint} rows={4} {...placed(setting)} />
    case 'text':
    case 'secret':
    case 'url':
      return <WordsSetting setting={setting} hint={hint} rows={1} />
  }
}

/** A text that the API has set for each language is shown with one line for each language. */
function WordsSetting({ setting, hint, rows }: { setting: Words; hint: ReactNode; rows: number }) {
  const { path, label } = setting
  const { value } = useField(path)
  if (isTree(value))
    return <JsonValueField path={path} label={`${label}, by language`} hint={hint} rows={4} />
  if (rows > 1) return <AreaField path={path} label={label} hint={hint} rows={rows} blank={null} />
  return (
    <TextField
      path={path}
      label={label}
      hint={hint}
      autoComplete="off"
      spellCheck={false}
      {...(setting.is === 'url' && { type: 'url' })}
      blank={setting.blank ?? (path.startsWith('api_tools.') ? null : '')}
    />
  )
}

const placed = ({ placeholder }: { placeholder?: string }) =>
  placeholder === undefined ? {} : { placeholder }

function Help({ setting }: { setting: Setting }) {
  return (
    <>
      {setting.help} {usualWords(setting)}
    </>
  )
}

/** A number that is emptied becomes its default again when the field is left: an update cannot remove a number. */
function NumberSetting({ setting }: { setting: Of<'number'> }) {
  const { path, label, unit, usual, least = 0, most, fraction = false } = setting
  const { value, set, fault } = useField(path)
  return (
    <Field label={label} hint={<Help setting={setting} />} fault={fault ?? numberFault(setting, value)}>
      {(wiring) => (
        <div className="relative">
          <input
            {...wiring}
            name={path}
            type="number"
            inputMode={fraction ? 'decimal' : 'numeric'}
            step={fraction ? 'any' : 1}
            min={least}
            max={most}
            placeholder={usual === undefined ? 'Not set' : String(usual)}
            value={text(value)}
            onChange={({ target }) => set(target.value === '' ? undefined : Number(target.value))}
            onBlur={() => value === undefined && usual !== undefined && set(usual)}
            className={`${boxLooks} ${height} pr-20 tabular-nums`}
          />
          <span className="pointer-events-none absolute inset-y-0 right-2.5 flex items-center text-[0.8125rem] text-muted">
            {unit}
          </span>
        </div>
      )}
    </Field>
  )
}

function FlagSetting({ setting }: { setting: Of<'flag'> }) {
  const { path, label, usual } = setting
  const { value, set, fault } = useField(path)
  const id = useId()
  return (
    <div className="flex items-start gap-2.5">
      <input
        id={id}
        type="checkbox"
        name={path}
        checked={typeof value === 'boolean' ? value : usual}
        aria-invalid={fault !== undefined}
        aria-describedby={`${id}-said`}
        onChange={({ target }) => set(target.checked)}
        className="mt-0.5 size-4 shrink-0 accent-accent"
      />
      <div className="min-w-0">
        <label htmlFor={id} className="text-[0.8125rem] font-medium">
          {label}
        </label>
        <p id={`${id}-said`} className={`text-[0.8125rem] ${fault ? 'text-bad' : 'text-muted'}`}>
          {fault ?? <Help setting={setting} />}
        </p>
      </div>
    </div>
  )
}
