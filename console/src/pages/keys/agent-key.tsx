import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { scopes } from '../../../../src/contract/prices.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import type { Scope } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { ScopeChoice } from './key-settings.tsx'
import styles from './keys.module.css'
import { NotCreated, useKeyCreation } from './rotate-key.tsx'

const days = 7
const credits = 50

/** A tightly limited key, for agents that decide on their own what to call. */
export function AgentKey({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.agent')} isOpen={isOpen} onClose={onClose}>
      <AgentForm onClose={onClose} />
    </Dialog>
  )
}

function AgentForm({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation()
  const [chosen, setChosen] = useState<Scope[]>(['models:invoke'])
  const [isFaultShown, setFaultShown] = useState(false)
  // Fixed when the form opens, so that a retry sends the same request.
  const [expiresAt] = useState(() => new Date(Date.now() + days * 86_400_000).toISOString())
  const creating = useKeyCreation(
    (body: AgentKeyBody, idempotencyKey) =>
      askToWrite(() =>
        gateway.POST('/console/keys', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body }),
      ),
    onClose,
    { isForAgent: true },
  )
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        setFaultShown(chosen.length === 0)
        if (chosen.length > 0)
          creating.mutate({
            name: t('keys.agentName'),
            scopes: scopes.filter((scope) => chosen.includes(scope)),
            budget: { credits, per: 'total' },
            expiresAt,
          })
      }}
    >
      <p>{t('keys.agentHint', { days, credits })}</p>
      <ScopeChoice chosen={chosen} onChange={setChosen} isFaultShown={isFaultShown} />
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

interface AgentKeyBody {
  readonly name: string
  readonly scopes: Scope[]
  readonly budget: { readonly credits: number; readonly per: 'total' }
  readonly expiresAt: string
}
