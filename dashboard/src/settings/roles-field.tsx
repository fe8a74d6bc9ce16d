// A role for each workspace, or none.
import type { dashboard } from '@parley/contract'
import type { Role } from '@parley/contract/addresses'
import { useWorkspaceNames } from '../session/workspace.tsx'
import { useField } from '../ui/forms/form.tsx'
import { roleWords } from '../ui/words/role-words.ts'

/** Workspace id to role; '' or absent: none. */
export type Roles = Record<string, string>

export const membershipsOf = (roles: Roles): dashboard.Membership[] =>
  Object.entries(roles).flatMap(([workspace_id, role]) =>
    role ? [{ workspace_id, role: role as Role }] : [],
  )

export const rolesOf = (memberships: readonly dashboard.Membership[]): Roles =>
  Object.fromEntries(memberships.map(({ workspace_id, role }) => [workspace_id, role]))

interface RolesFieldProps {
  path: string
  label: string
  /** The path that faults of the server about roles have. */
  faultsOf: string
}

export function RolesField({ path, label, faultsOf }: RolesFieldProps) {
  const names = useWorkspaceNames()
  const { value, set } = useField(path)
  const { fault } = useField(faultsOf)
  const roles = (value ?? {}) as Roles
  return (
    <fieldset>
      <legend className="mb-1.5 text-[0.8125rem] font-medium">{label}</legend>
      <div className="max-h-60 divide-y divide-line overflow-y-auto rounded-md border border-edge bg-surface shadow-card">
        {Object.entries(names).map(([id, name]) => (
          <label key={id} className="flex items-center justify-between gap-3 px-3 py-1.5">
            <span className="truncate">{name}</span>
            <select
              value={roles[id] ?? ''}
              aria-invalid={fault !== undefined}
              onChange={({ target }) => set({ ...roles, [id]: target.value })}
              className="h-8 rounded-md border border-edge bg-surface px-2 text-[0.8125rem]"
            >
              <option value="">None</option>
              {Object.entries(roleWords).map(([role, words]) => (
                <option key={role} value={role}>
                  {words}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      {fault && <p className="mt-1.5 text-[0.8125rem] text-bad">{fault}</p>}
    </fieldset>
  )
}
