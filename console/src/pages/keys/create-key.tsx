import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopes } from '../../../../src/contract/prices.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { keysQuery, pricingQuery } from '../../api/queries.ts'
import type { Scope } from '../../api/types.ts'
import { useCreditsText } from '../../design/amount.tsx'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Checkbox, CheckboxGroup, toggled } from '../../design/field.tsx'
import styles from './create-key.module.css'
import { type KeyDraft, newDraft, settingsIn } from './key-draft.ts'
import { NotCreated } from './not-created.tsx'
import { SettingsFields } from './settings-fields.tsx'
import { useKeyCreation } from './use-key-creation.ts'

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
  const { data } = useQuery(keysQuery)
  const [isFaultShown, setFaultShown] = useState(false)
  const [draft, setDraft] = useState(() => newDraft(t('keys.defaultName', { count: (data?.items.length ?? 0) + 1 })))
  const creating = useKeyCreation(
    (body: NewKey, idempotencyKey) =>
      askToWrite(() =>
        gateway.POST('/console/keys', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body }),
      ),
    onClose,
  )
  const isAll = chosen.length === scopes.length

  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setFaultShown(chosen.length === 0)
        if (chosen.length > 0)
          creating.mutate(
            bodyOf(
              draft,
              scopes.filter((scope) => chosen.includes(scope)),
            ),
          )
      }}
    >
      <SettingsFields draft={draft} onChange={setDraft} />
      <CheckboxGroup
        label={t('keys.scope')}
        description={t('keys.createHint')}
        error={isFaultShown && chosen.length === 0 && t('keys.pick')}
      >
        <ul className={styles.scopes}>
          {scopes.map((scope) => (
            <li key={scope}>
              <Checkbox
                checked={chosen.includes(scope)}
                onChange={() => setChosen(toggled(chosen, scope))}
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
      </CheckboxGroup>
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

/** An expiry that is left out is the one that the operator allows. */
function bodyOf(draft: KeyDraft, scopes: Scope[]) {
  const { expiresAt, ...settings } = settingsIn(draft)
  return { ...settings, scopes, ...(expiresAt && { expiresAt }) }
}
type NewKey = ReturnType<typeof bodyOf>
