// A field that chooses the speech engine: the installation's own or that of a connected vendor. The others are greyed, with
// the reason and the way to connect them.
import { Link } from '../router.tsx'
import { Field } from '../ui/forms/field.tsx'
import { text } from '../ui/forms/fields.tsx'
import { useField } from '../ui/forms/form.tsx'
import { SelectBox } from '../ui/forms/select-box.tsx'
import { type EnginePart, useVendors, type VendorHere } from './engines.ts'

/** The value by which a saved agent names the engines of the installation; a new agent leaves the field out. */
const offline = 'offline'

export const isOffline = (provider: string): boolean => provider === '' || provider === offline

const offlineWords = 'This installation (offline, no key needed)'

const wordsOf = ({ label, why }: VendorHere): string =>
  why === undefined ? label : `${label} (not connected)`

export function EngineField({ part, label }: { part: EnginePart; label: string }) {
  const path = `${part}.provider`
  const { value, set, fault } = useField(path)
  const vendors = useVendors(part)
  const chosen = isOffline(text(value)) ? offline : text(value)
  const missing = vendors.filter(({ why }) => why !== undefined)
  const why = vendors.find(({ name }) => name === chosen)?.why
  return (
    <div>
      <Field
        label={label}
        fault={fault}
        hint={
          why
            ? `${why} Until there is one, this installation does it, and the record of each call says so.`
            : 'Default: this installation.'
        }
      >
        {(wiring) => (
          <SelectBox
            {...wiring}
            name={path}
            value={chosen}
            options={{
              [offline]: offlineWords,
              ...Object.fromEntries(vendors.map((vendor) => [vendor.name, wordsOf(vendor)])),
            }}
            isClosed={(name) => name !== chosen && missing.some((vendor) => vendor.name === name)}
            onChange={({ target }) => set(target.value)}
          />
        )}
      </Field>
      {missing.length > 0 && (
        <details className="mt-2 text-[0.8125rem] text-muted">
          <summary className="cursor-pointer rounded">
            {missing.length} more {missing.length === 1 ? 'vendor' : 'vendors'} can be connected
          </summary>
          <p className="mt-1.5">
            Store a key under{' '}
            <Link to="/vendors" className="underline">
              Vendors
            </Link>
            , and the vendor can be chosen here.
          </p>
          <ul className="mt-1 list-disc space-y-0.5 pl-5">
            {missing.map(({ name, label: words, why: reason }) => (
              <li key={name}>
                {words}: {reason}
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}
