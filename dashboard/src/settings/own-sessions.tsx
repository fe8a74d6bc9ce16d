// The user's own sessions, each with a button that ends it.
import type { dashboard } from '@parley/contract'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Button } from '../ui/controls/button.tsx'
import { RefusalNotice } from '../ui/feedback/refusal-notice.tsx'
import { useToast } from '../ui/feedback/toasts.tsx'
import { Section } from '../ui/layout/section.tsx'
import { deviceWords } from './device-words.ts'
import { SessionRows } from './session-rows.tsx'

export function OwnSessions() {
  const queries = useQueryClient()
  const toast = useToast()
  const sessions = useQuery({ queryKey: ['sessions', 'own'], queryFn: api.sessions })
  const end = useMutation({
    mutationFn: (session: dashboard.SignedIn | 'others') =>
      session === 'others' ? api.endOtherSessions() : api.endSession(session.session_id),
    onSuccess: (_ended, session) =>
      toast(
        session === 'others' ? 'Signed out everywhere else' : `${deviceWords(session.device)} signed out`,
      ),
    onSettled: () => queries.invalidateQueries({ queryKey: ['sessions'] }),
  })
  const all = sessions.data?.data ?? []
  const error = sessions.error ?? end.error
  return (
    <Section
      title="Sessions"
      lead="Where you are signed in. End any session you do not recognise, then change your password."
    >
      {error && <RefusalNotice error={error} />}
      {all.length > 0 && (
        <SessionRows
          sessions={all}
          action={(session) =>
            session.current ? null : (
              <Button
                kind="quiet"
                size="small"
                className="-mr-2"
                aria-label={`End ${deviceWords(session.device)}`}
                onClick={() => end.mutate(session)}
              >
                End
              </Button>
            )
          }
        />
      )}
      {all.length > 1 && (
        <Button busy={end.isPending} onClick={() => end.mutate('others')}>
          Sign out everywhere else
        </Button>
      )}
    </Section>
  )
}
