import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSearchParams } from 'wouter'
import { keysQuery } from '../../api/queries.ts'
import type { Key } from '../../api/types.ts'
import { useGoBack } from '../../back-navigation.tsx'
import { Button } from '../../design/button.tsx'
import { Segments } from '../../design/choices.tsx'
import { TextInput } from '../../design/field.tsx'
import { Empty, LoadingRows, News, Notice, Problem } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { keyText } from '../../format/format.ts'
import { AgentKey } from './agent-key.tsx'
import { CreateKey, EditKey } from './key-settings.tsx'
import { type KeyActions, KeyTable } from './key-table.tsx'
import styles from './keys.module.css'
import { RevokeKey, RotateKey } from './rotate-key.tsx'

export function Keys() {
  const { t } = useTranslation()
  const { data, error, refetch } = useQuery(keysQuery)
  const [isCreatingForAgent, setCreatingForAgent] = useState(false)
  const [revoking, setRevoking] = useState<Key | null>(null)
  const [revoked, setRevoked] = useState<Key | null>(null)
  const [rotating, setRotating] = useState<Key | null>(null)
  const [editing, setEditing] = useState<Key | null>(null)
  const [params] = useSearchParams()
  const [isCreating, setCreating] = useState(params.has('new'))
  const wayBack = useGoBack('/keys')
  const [isLinkUsed, setLinkUsed] = useState(false)
  const linked = isLinkUsed ? undefined : data?.items.find(({ keyId }) => keyId === params.get('edit'))
  const actions: KeyActions = { onRevoke: setRevoking, onRotate: setRotating, onEdit: setEditing }
  const createButtons = (
    <>
      <Button variant="default" onClick={() => setCreatingForAgent(true)}>
        {t('keys.agent')}
      </Button>
      <Button onClick={() => setCreating(true)}>{t('keys.create')}</Button>
    </>
  )
  const isFull = data && data.items.filter(({ state }) => state === 'active').length >= data.maxActive

  return (
    <div>
      <PageHead title={t('keys.title')} lead={t('keys.lead')} actions={createButtons} />
      {revoked && <News key={revoked.keyId}>{t('keys.revokedNews', { prefix: keyText(revoked) })}</News>}
      {isFull && (
        <Notice tone="wait" title={t('keys.limitTitle', { count: data.maxActive })}>
          {t('keys.limit')}
        </Notice>
      )}
      <Sheet>
        {error && <Problem error={error} onRetry={() => void refetch()} />}
        {!data && !error && <LoadingRows />}
        {data?.items.length === 0 && <Empty title={t('keys.none')} hint={t('keys.noneHint')} />}
        {data && data.items.length > 0 && <KeyList keys={data.items} {...actions} />}
      </Sheet>
      <CreateKey isOpen={isCreating} onClose={() => setCreating(false)} />
      <AgentKey isOpen={isCreatingForAgent} onClose={() => setCreatingForAgent(false)} />
      <RotateKey rotated={rotating} onClose={() => setRotating(null)} />
      <EditKey
        edited={editing ?? linked ?? null}
        keys={data?.items ?? []}
        onClose={() => {
          setEditing(null)
          if (editing || !linked) return
          setLinkUsed(true)
          wayBack()
        }}
      />
      <RevokeKey revoked={revoking} onClose={() => setRevoking(null)} onRevoked={setRevoked} />
    </div>
  )
}

type Shown = 'active' | 'ended'

function KeyList({ keys, ...actions }: { keys: readonly Key[] } & KeyActions) {
  const { t } = useTranslation()
  const [shown, setShown] = useState<Shown>('active')
  const [text, setText] = useState('')
  const ofState = {
    active: keys.filter(({ state }) => state === 'active'),
    ended: keys.filter(({ state }) => state !== 'active'),
  }
  const wanted = text.trim().toLowerCase()
  const rotatedIds = new Set(keys.flatMap(({ rotatedFromKeyId }) => rotatedFromKeyId ?? []))
  const found = ofState[shown].filter(({ name, displayPrefix, keyId, scopes }) =>
    [name ?? '', displayPrefix, keyId, ...scopes].some((value) => value.toLowerCase().includes(wanted)),
  )
  return (
    <>
      <div className={styles.tools}>
        <Segments
          aria-label={t('keys.state')}
          value={shown}
          onChange={setShown}
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
        <KeyTable keys={found} rotatedIds={rotatedIds} {...actions} />
      ) : (
        <Empty title={t(wanted ? 'keys.noMatch' : shown === 'active' ? 'keys.noneActive' : 'keys.noneEnded')} />
      )}
    </>
  )
}
