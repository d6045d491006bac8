import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keysQuery } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { Empty } from '../../design/empty.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyTable } from './key-table.tsx'
import { RevokeKey } from './revoke-key.tsx'

export function Keys() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [areEndedShown, setEndedShown] = useState(false)
  const ended = data?.items.filter(({ state }) => state !== 'active') ?? []
  const shown = data?.items.filter(({ state }) => areEndedShown || state === 'active') ?? []
  const createButton = <Button onClick={() => setCreating(true)}>{t('keys.create')}</Button>

  return (
    <div>
      <PageHead title={t('keys.title')} lead={t('keys.lead')} actions={createButton} />
      <Sheet>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingRows />}
        {data && shown.length === 0 && <Empty title={t('keys.none')} hint={t('keys.noneHint')} />}
        {shown.length > 0 && <KeyTable keys={shown} onRevoke={setRevoking} />}
        {ended.length > 0 && (
          <Button variant="subtle" size="compact-sm" mt="md" onClick={() => setEndedShown(!areEndedShown)}>
            {areEndedShown ? t('keys.hideEnded') : t('keys.showEnded', { count: ended.length })}
          </Button>
        )}
      </Sheet>
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeKey revoked={revoking} onClose={() => setRevoking(null)} />
    </div>
  )
}
