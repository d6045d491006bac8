import { Button, Checkbox } from '@mantine/core'
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopes } from '../../../../src/contract/prices.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { pricingQuery, queryClient, refreshBooks } from '../../api/queries.ts'
import { Unreachable } from '../../api/refusal.ts'
import type { CreatedKey, Scope } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Notice } from '../../design/notice.tsx'
import { Problem } from '../../design/problem.tsx'
import styles from './create-key.module.css'
import { ShownOnce } from './shown-once.tsx'

/** Two steps: what the key may do, then its text, which is shown until it has been saved. */
export function CreateKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  const [created, setCreated] = useState<CreatedKey | null>(null)
  function close() {
    // From here on the text of the key is nowhere.
    setCreated(null)
    onClose()
  }
  return (
    <Dialog
      title={t(created ? 'keys.onceTitle' : 'keys.createTitle')}
      isOpen={isOpen}
      onClose={close}
      isHeld={created !== null}
    >
      {created ? <ShownOnce created={created} onDone={close} /> : <ScopeForm onCreated={setCreated} onCancel={close} />}
    </Dialog>
  )
}

function ScopeForm({ onCreated, onCancel }: { onCreated: (key: CreatedKey) => void; onCancel: () => void }) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { data: pricing } = useQuery(pricingQuery)
  const [chosen, setChosen] = useState<Scope[]>(['models:invoke'])
  const [isFaultShown, setFaultShown] = useState(false)
  const creating = useMutation({
    mutationFn: () => askToWrite(() => gateway.POST('/keys', { body: { scopes: chosen } })),
    onSuccess(key) {
      onCreated(key)
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
      <p>{t('keys.createHint')}</p>
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
                  .map(({ operation, credits }) => `${operation} (${creditsText(credits)})`)
                  .join(', ')}
              />
            </li>
          ))}
        </ul>
      </Checkbox.Group>
      <div>
        <Button variant="subtle" size="compact-sm" onClick={() => setChosen(isAll ? [] : [...scopes])}>
          {t(isAll ? 'common.none' : 'keys.all')}
        </Button>
      </div>
      {creating.error instanceof Unreachable && <Notice tone="wait">{t('keys.lost')}</Notice>}
      {creating.error && <Problem error={creating.error} />}
      <DialogActions>
        <Button variant="default" onClick={onCancel}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={creating.isPending}>
          {t('keys.submit')}
        </Button>
      </DialogActions>
    </form>
  )
}
