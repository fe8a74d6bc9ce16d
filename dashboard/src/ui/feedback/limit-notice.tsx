// Says that a limit of the workspace has stopped calls.
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { Icon } from '../controls/icons.tsx'
import { When } from '../words/when.tsx'

// Limits are counted by day, so an older notice is out of date.
const shownMs = 24 * 60 * 60 * 1000

export function LimitNotice({ workspaceId }: { workspaceId: string }) {
  const notices = useQuery({
    queryKey: ['notices', workspaceId],
    queryFn: () => api.notices(workspaceId),
  })
  const [newest] = notices.data?.data ?? []
  if (!newest || Date.now() - Date.parse(newest.created_at) > shownMs) return null
  return (
    <div role="status" className="mb-6 flex gap-2.5 rounded-lg bg-wait-soft px-3.5 py-3 text-wait">
      <Icon name="alert" className="mt-0.5 size-4" />
      <p className="wrap-anywhere">
        {newest.message} (<When at={newest.created_at} />)
      </p>
    </div>
  )
}
