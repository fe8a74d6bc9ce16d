// The button that signs the user out.
import { useMutation } from '@tanstack/react-query'
import { api } from '../api.ts'
import { forgetEverything } from '../query-client.ts'
import { go } from '../router.tsx'
import { Button } from '../ui/controls/button.tsx'
import { Icon } from '../ui/controls/icons.tsx'

export function SignOutButton({ quiet = false }: { quiet?: boolean }) {
  const logout = useMutation({
    mutationFn: api.logout,
    onSuccess: () => {
      forgetEverything()
      go('/', { replace: true })
    },
  })
  return quiet ? (
    <Button
      kind="quiet"
      size="small"
      aria-label="Sign out"
      title="Sign out"
      busy={logout.isPending}
      onClick={() => logout.mutate()}
    >
      <Icon name="leave" />
    </Button>
  ) : (
    <Button busy={logout.isPending} onClick={() => logout.mutate()}>
      Sign out
    </Button>
  )
}
