import { Button, SegmentedControl, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { keysQuery } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { Empty } from '../../design/empty.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { News } from '../../design/news.tsx'
import { Notice } from '../../design/notice.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { CreateKey } from './create-key.tsx'
import { KeyTable } from './key-table.tsx'
import styles from './keys.module.css'
import { RevokeKey } from './revoke-key.tsx'

export function Keys() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(keysQuery)
  const [isCreating, setCreating] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const createButton = <Button onClick={() => setCreating(true)}>{t('keys.create')}</Button>
  const isFull = data && data.items.filter(({ state }) => state === 'active').length >= data.maxActive

  return (
    <div>
      <PageHead title={t('keys.title')} lead={t('keys.lead')} actions={createButton} />
      {revoked && <News key={revoked.keyId}>{t('keys.revokedNews', { prefix: revoked.displayPrefix })}</News>}
      {isFull && (
        <Notice tone="wait" title={t('keys.limitTitle', { count: data.maxActive })}>
          {t('keys.limit')}
        </Notice>
      )}
      <Sheet>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingRows />}
        {data?.items.length === 0 && <Empty title={t('keys.none')} hint={t('keys.noneHint')} />}
        {data && data.items.length > 0 && <KeyList keys={data.items} onRevoke={setRevoking} />}
      </Sheet>
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
      <RevokeKey revoked={revoking} onClose={() => setRevoking(null)} onRevoked={setRevoked} />
    </div>
  )
}

type Shown = 'active' | 'ended'

function KeyList({ keys, onRevoke }: { keys: readonly Key[]; onRevoke: (key: Key) => void }) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<Shown>('active')
  const [text, setText] = useState('')
  const ofState = {
    active: keys.filter(({ state }) => state === 'active'),
    ended: keys.filter(({ state }) => state !== 'active'),
  }
  const wanted = text.trim().toLowerCase()
  const found = ofState[shown].filter(({ displayPrefix, keyId, scopes }) =>
    [displayPrefix, keyId, ...scopes].some((value) => value.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <div className={styles.tools}>
        <SegmentedControl
          size="xs"
          aria-label={t('keys.state')}
          value={shown}
          onChange={(value) => setShown(value as Shown)}
          data={(['active', 'ended'] as const).map((value) => ({
            value,
            label: t(`keys.${value}Count`, { count: ofState[value].length }),
          }))}
        />
        <TextInput
          type="search"
          className={styles.search ?? ''}
          placeholder={t('keys.search')}
          aria-label={t('keys.search')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
      </div>
      {found.length > 0 ? (
        <KeyTable keys={found} onRevoke={onRevoke} />
      ) : (
        <Empty title={t(wanted ? 'keys.noMatch' : shown === 'active' ? 'keys.noneActive' : 'keys.noneEnded')} />
      )}
    </>
  )
}
