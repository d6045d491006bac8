import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopes } from '../../../../src/contract/prices.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { keysQuery, pricingQuery, queryClient, refreshBooks } from '../../api/queries.ts'
import { isRefused, Unreachable } from '../../api/refusal.ts'
import type { Scope } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import styles from './create-key.module.css'
import { unsavedKey } from './unsaved-key-store.ts'

/** What the key may do. Its text is shown by a dialog of its own, which outlives this page. */
export function CreateKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.createTitle')} isOpen={isOpen} onClose={onClose}>
      <ScopeForm onClose={onClose} />
    </Dialog>
  )
}

function ScopeForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { data: pricing } = useQuery(pricingQuery)
  const [chosen, setChosen] = useState<Scope[]>(['models:invoke'])
  const [isFaultShown, setFaultShown] = useState(false)
  const creating = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/keys', { body: { scopes: chosen } })),
    onSuccess(key) {
      unsavedKey.show(key)
      onClose()
      void refreshBooks()
    },
    onError: () => void queryClient.invalidateQueries({ queryKey: ['keys'] }),
  })
  const isAll = chosen.length === scopes.length

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setFaultShown(chosen.length === 0)
        if (chosen.length > 0) creating.mutate()
      }}
    >
      <p className={styles.hint}>{t('keys.createHint')}</p>
      <Checkbox.Group
        value={chosen}
        onChange={(values) => setChosen(scopes.filter((scope) => values.includes(scope)))}
        label={t('keys.scope')}
        error={isFaultShown && chosen.length === 0 && t('keys.pick')}
      >
        <ul className={styles.scopes}>
          {scopes.map((scope) => (
            <li key={scope}>
              <Checkbox
                value={scope}
                label={
                  <>
                    {t(`scopes.${scope}`)} <code>{scope}</code>
                  </>
                }
                description={pricing?.operations
                  .filter((operation) => operation.scope === scope)
                  .map(({ operation, credits }) => `${t(`operations.${operation}`)} ${creditsText(credits)}`)
                  .join(t('common.comma'))}
              />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <div>
        <Button variant="default" size="compact-sm" onClick={() => setChosen(isAll ? [] : [...scopes])}>
          {t(isAll ? 'keys.unselectAll' : 'keys.all')}
        </Button>
      </div>
      {creating.error && <NotCreated error={creating.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={creating.isPending}>
          {t('keys.submit')}
        </Button>
      </DialogActions>
    </form>
  )
}

function NotCreated({ error }: { error: Error }) {
  const { t } = useTranslation()
  const { data } = useQuery(keysQuery)
  // A limit that no wait ends is the number of active keys.
  if (isRefused(error, 'RATE_LIMITED') && error.retryAtMs === null && data) {
    return (
      <Notice tone="wait" isNews title={t('keys.limitTitle', { count: data.maxActive })}>
        {t('keys.limit')}
      </Notice>
    )
  }
  if (error instanceof Unreachable) {
    return (
      <Notice tone="wait" isNews title={t('trouble.lostTitle')}>
        {t('keys.lost')}
      </Notice>
    )
  }
  return <Problem error={error} />
}
