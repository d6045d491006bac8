import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { budgetPeriods } from '../../../../src/contract/budget-periods.ts'
import { scopes } from '../../../../src/contract/prices.ts'
import { isRefused } from '../../api/ask.ts'
import { askToWrite, gateway } from '../../api/gateway.ts'
import { keysQuery, pricingQuery, refreshProjectData } from '../../api/queries.ts'
import type { Key, Scope } from '../../api/types.ts'
import { Button } from '../../design/button.tsx'
import { Dialog, DialogActions } from '../../design/dialog.tsx'
import { Checkbox, CheckboxGroup, Select, Textarea, TextInput, toggled } from '../../design/field.tsx'
import { useCreditsText } from '../../design/figures.tsx'
import { Problem } from '../../design/notice.tsx'
import { dayAt } from '../../format/calendar.ts'
import { plainDigits } from '../../format/digits.ts'
import { hasInvisible } from '../../format/names.ts'
import { mediaCreditsPerSecond } from '../../installation.ts'
import { wrongAddressIn } from './addresses.ts'
import { KeyChain } from './key-table.tsx'
import styles from './keys.module.css'
import { NotCreated, useKeyCreation } from './rotate-key.tsx'

interface SettingsFieldsProps {
  readonly draft: KeyDraft
  readonly onChange: (draft: KeyDraft) => void
  /** What the gateway refused; shown at the field it is about. */
  readonly error: unknown
}

function NameField({ draft, onChange, error }: SettingsFieldsProps) {
  const { t } = useTranslation()
  return (
    <TextInput
      label={t('keys.name')}
      description={t('keys.nameHint')}
      maxLength={64}
      required
      value={draft.name}
      error={
        hasInvisible(draft.name)
          ? t('common.nameInvisible')
          : isRefused(error, 'INVALID_NAME') && t('errors.INVALID_NAME')
      }
      onChange={(event) => onChange({ ...draft, name: event.currentTarget.value })}
    />
  )
}

/** What limits a key; it can be changed later. */
function LimitFields({ draft, onChange, error }: SettingsFieldsProps) {
  const { t } = useTranslation()
  const set = (change: Partial<KeyDraft>) => onChange({ ...draft, ...change })
  const optional = (label: string) => `${label}${t('common.note', { text: t('common.optional') })}`
  const wrongLine = wrongAddressIn(draft.addresses)
  return (
    <>
      <div className={styles.pair}>
        <TextInput
          inputMode="numeric"
          label={optional(t('keys.budget'))}
          description={t('keys.budgetHint')}
          placeholder={t('keys.noBudget')}
          value={draft.credits}
          error={isRefused(error, 'INVALID_BUDGET') && t('errors.INVALID_BUDGET')}
          onChange={(event) => set({ credits: plainDigits(event.currentTarget.value) })}
        />
        <Select
          label={t('keys.budgetPer')}
          value={draft.per}
          onChange={(event) => set({ per: event.currentTarget.value as KeyDraft['per'] })}
          data={budgetPeriods.map((value) => ({ value, label: t(`keys.per.${value}`) }))}
        />
      </div>
      <TextInput
        type="date"
        label={optional(t('keys.validUntil'))}
        description={t('keys.validUntilHint')}
        value={draft.lastDay}
        error={isRefused(error, 'INVALID_EXPIRY') && t('errors.INVALID_EXPIRY')}
        onChange={(event) => set({ lastDay: event.currentTarget.value })}
      />
      <Textarea
        label={optional(t('keys.addresses'))}
        description={t('keys.addressesHint')}
        placeholder={'203.0.113.7\n2001:db8::/32'}
        rows={3}
        spellCheck={false}
        value={draft.addresses}
        error={
          isRefused(error, 'INVALID_ADDRESSES') &&
          (wrongLine ? t('keys.addressWrong', wrongLine) : t('errors.INVALID_ADDRESSES'))
        }
        onChange={(event) => set({ addresses: event.currentTarget.value })}
      />
      <Checkbox
        label={t('keys.showsBalance')}
        description={t('keys.showsBalanceHint')}
        checked={draft.showsBalance}
        onChange={(event) => set({ showsBalance: event.currentTarget.checked })}
      />
      <Checkbox
        label={t('keys.logsContent')}
        description={t('keys.logsContentHint')}
        checked={draft.logsContent}
        onChange={(event) => set({ logsContent: event.currentTarget.checked })}
      />
    </>
  )
}

const limitFaults = ['INVALID_BUDGET', 'INVALID_EXPIRY', 'INVALID_ADDRESSES'] as const
/** Whether a field already shows this error. */
const isAtField = (error: unknown) => isRefused(error, 'INVALID_NAME', ...limitFaults)

interface KeyDraft {
  readonly name: string
  readonly credits: string
  readonly per: NonNullable<Key['budget']>['per']
  /** The last day on which the key is valid, in Beijing time; empty for no end. */
  readonly lastDay: string
  /** One address or range per line. */
  readonly addresses: string
  readonly showsBalance: boolean
  readonly logsContent: boolean
}

const newDraft = (name: string): KeyDraft => ({
  ...{ name, credits: '', per: 'month', lastDay: '', addresses: '', showsBalance: true, logsContent: false },
})

const draftOf = ({ name, budget, expiresAt, allowedAddresses, showsBalance, logsContent }: Key): KeyDraft => ({
  name: name ?? '',
  credits: budget ? String(budget.credits) : '',
  per: budget?.per ?? 'month',
  lastDay: expiresAt ? dayAt(Date.parse(expiresAt)) : '',
  addresses: (allowedAddresses ?? []).join('\n'),
  showsBalance,
  logsContent,
})

/** Not validated here: the gateway says which field is wrong. */
function settingsIn({ name, credits, per, lastDay, addresses, showsBalance, logsContent }: KeyDraft) {
  const entries = addresses.split(/[\s,，]+/).filter((entry) => entry !== '')
  return {
    name: name.trim(),
    budget: credits.trim() === '' ? null : { credits: Number(credits), per },
    expiresAt: lastDay === '' ? null : `${lastDay}T23:59:59+08:00`,
    allowedAddresses: entries.length === 0 ? null : entries,
    showsBalance,
    logsContent,
  }
}

/** Only changed settings: an expiry keeps its exact time unless another day was chosen. */
function changesIn(draft: KeyDraft, key: Key) {
  const before = draftOf(key)
  const { name, budget, expiresAt, allowedAddresses, showsBalance, logsContent } = settingsIn(draft)
  return {
    ...(draft.name !== before.name && { name: name === '' ? null : name }),
    ...((draft.credits !== before.credits || (budget && draft.per !== before.per)) && { budget }),
    ...(draft.lastDay !== before.lastDay && { expiresAt }),
    ...(draft.addresses !== before.addresses && { allowedAddresses }),
    ...(showsBalance !== before.showsBalance && { showsBalance }),
    ...(logsContent !== before.logsContent && { logsContent }),
  }
}

/** Creates a key. `UnsavedKey` shows its text, because that has to outlive this page. */
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
  const { data } = useQuery(keysQuery)
  // A first key is usually for trying things out.
  const [chosen, setChosen] = useState<Scope[]>(() => (data?.items.length === 0 ? [...scopes] : ['models:invoke']))
  const [isFaultShown, setFaultShown] = useState(false)
  const [draft, setDraft] = useState(() => newDraft(t('keys.defaultName', { count: (data?.items.length ?? 0) + 1 })))
  const creating = useKeyCreation(
    (body: NewKey, idempotencyKey) =>
      askToWrite(() =>
        gateway.POST('/console/keys', { params: { header: { 'Idempotency-Key': idempotencyKey } }, body }),
      ),
    onClose,
  )

  const fields = { draft, onChange: setDraft, error: creating.error }
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
      <NameField {...fields} />
      <ScopeChoice chosen={chosen} onChange={setChosen} isFaultShown={isFaultShown} />
      <details className={styles.fold} {...(isRefused(creating.error, ...limitFaults) && { open: true })}>
        <summary>{t('keys.limitsFold')}</summary>
        <div className={styles.form}>
          <LimitFields {...fields} />
        </div>
      </details>
      {creating.error && !isAtField(creating.error) && <NotCreated error={creating.error} />}
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

interface ScopeChoiceProps {
  readonly chosen: readonly Scope[]
  readonly onChange: (chosen: Scope[]) => void
  readonly isFaultShown: boolean
}

/** The permissions of a new key, with the prices of what they allow. */
export function ScopeChoice({ chosen, onChange, isFaultShown }: ScopeChoiceProps) {
  const { t } = useTranslation()
  const creditsText = useCreditsText()
  const { data: pricing } = useQuery(pricingQuery)
  const isAll = chosen.length === scopes.length
  return (
    <>
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
                onChange={() => onChange(toggled(chosen, scope))}
                label={
                  <>
                    {t(`scopes.${scope}`)} <code>{scope}</code>
                  </>
                }
                description={
                  scope === 'media:run'
                    ? t('common.perSecond', { credits: creditsText(mediaCreditsPerSecond) })
                    : pricing?.operations
                        .filter((operation) => operation.scope === scope)
                        .map(({ operation, credits }) => `${t(`operations.${operation}`)} ${creditsText(credits)}`)
                        .join(t('common.comma'))
                }
              />
            </li>
          ))}
        </ul>
      </CheckboxGroup>
      <div>
        <Button variant="default" size="compact-sm" onClick={() => onChange(isAll ? [] : [...scopes])}>
          {t(isAll ? 'keys.unselectAll' : 'keys.all')}
        </Button>
      </div>
    </>
  )
}

/** Without an expiry the operator's default applies. */
function bodyOf(draft: KeyDraft, scopes: Scope[]) {
  const { expiresAt, ...settings } = settingsIn(draft)
  return { ...settings, scopes, ...(expiresAt && { expiresAt }) }
}
type NewKey = ReturnType<typeof bodyOf>

interface EditKeyProps {
  readonly edited: Key | null
  readonly keys: readonly Key[]
  readonly onClose: () => void
}

export function EditKey({ edited, keys, onClose }: EditKeyProps) {
  const { t } = useTranslation()
  return (
    <Dialog title={t('keys.editTitle')} isOpen={edited !== null} onClose={onClose}>
      {edited && <Settings edited={edited} keys={keys} onClose={onClose} />}
    </Dialog>
  )
}

function Settings({ edited, keys, onClose }: { edited: Key; keys: readonly Key[]; onClose: () => void }) {
  const { t } = useTranslation()
  const [draft, setDraft] = useState(() => draftOf(edited))
  const { keyId } = edited
  const saving = useMutation({
    mutationFn: () =>
      askToWrite(() =>
        gateway.POST('/console/keys/{keyId}/update', { params: { path: { keyId } }, body: changesIn(draft, edited) }),
      ),
    onSuccess: onClose,
    onSettled: () => void refreshProjectData(),
  })
  const fields = { draft, onChange: setDraft, error: saving.error }
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault()
        saving.mutate()
      }}
    >
      <NameField {...fields} />
      <LimitFields {...fields} />
      <KeyChain of={edited} keys={keys} />
      {saving.error && !isAtField(saving.error) && <Problem error={saving.error} />}
      <DialogActions>
        <Button variant="default" onClick={onClose}>
          {t('common.cancel')}
        </Button>
        <Button type="submit" loading={saving.isPending}>
          {t('keys.save')}
        </Button>
      </DialogActions>
    </form>
  )
}
