import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { operatorRoles } from '../../../../../src/operator-kit/roles.ts'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Dialog, DialogActions, useLeaveWarning } from '../../../design/dialog.tsx'
import { Checkbox } from '../../../design/field.tsx'
import { Mark } from '../../../design/figures.tsx'
import { Empty, Notice } from '../../../design/notice.tsx'
import { PageHead, Sheet } from '../../../design/page.tsx'
import { Secret } from '../../../design/totp-secret.tsx'
import { useFormat } from '../../../format/format.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { operatorsQuery } from '../../api/queries.ts'
import { useMay, useOperator } from '../../api/session.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import { ActionButton, type DialogForm, FormDialog, useReasonField } from '../../parts/form-dialog.tsx'
import { Loaded, OperatorTotpSecret, rowActions } from '../../parts/parts.tsx'
import styles from './operators.module.css'

export function Operators() {
  const { t } = useTranslation()
  const mayManage = useMay('operators')
  const [isAdding, setAdding] = useState(false)
  const [created, setCreated] = useState<NewOperator | null>(null)
  const form = useAddForm(setCreated)
  return (
    <div>
      <PageHead
        title={t('operator.operators.title')}
        lead={t('operator.operators.lead')}
        actions={mayManage && <Button onClick={() => setAdding(true)}>{t('operator.operators.add')}</Button>}
      />
      <Sheet>
        <Loaded query={operatorsQuery}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('operator.operators.none')} hint={t('operator.operators.noneHint')} />
            ) : (
              <OperatorTable operators={items} onCreated={mayManage ? setCreated : null} />
            )
          }
        </Loaded>
      </Sheet>
      <FormDialog form={isAdding ? form : null} onClose={() => setAdding(false)} />
      <NewSignIn created={created} onDone={() => setCreated(null)} />
    </div>
  )
}

const tones = { active: 'good', pending: 'wait', locked: 'bad', disabled: 'plain' } as const

interface OperatorTableProps {
  readonly operators: readonly Operator[]
  /** Null if the operator may not change anything. */
  readonly onCreated: ((created: NewOperator) => void) | null
}

function OperatorTable({ operators, onCreated }: OperatorTableProps) {
  const { t } = useTranslation()
  const format = useFormat()
  const me = useOperator()
  const columns: Column<Operator>[] = [
    {
      key: 'name',
      title: t('operator.operators.name'),
      isMain: true,
      cell: ({ name }) => (
        <>
          {name}
          {name === me.name && (
            <span className={styles.you}>{t('common.note', { text: t('operator.operators.you') })}</span>
          )}
        </>
      ),
    },
    { key: 'role', title: t('operator.operators.role'), cell: ({ role }) => t(`operator.roles.${role}`) },
    {
      key: 'state',
      title: t('operator.operators.state'),
      narrow: 'untitled',
      cell: ({ state, requestedBy }) => (
        <>
          <Mark tone={tones[state]}>{t(`operator.operators.states.${state}`)}</Mark>
          {requestedBy && (
            <div className={styles.you}>{t('operator.operators.requestedBy', { name: requestedBy })}</div>
          )}
        </>
      ),
    },
    { key: 'created', title: t('operator.operators.created'), cell: ({ createdAt }) => format.dateTime(createdAt) },
    ...(onCreated
      ? [
          {
            key: 'action',
            title: t('operator.operators.action'),
            isNumber: true,
            narrow: 'untitled' as const,
            cell: (operator: Operator) => <OperatorActions operator={operator} onCreated={onCreated} />,
          },
        ]
      : []),
  ]
  return (
    <DataTable caption={t('operator.operators.title')} columns={columns} rows={operators} rowKey={({ name }) => name} />
  )
}

interface OperatorActionsProps {
  readonly operator: Operator
  readonly onCreated: (created: NewOperator) => void
}

function OperatorActions({ operator, onCreated }: OperatorActionsProps) {
  const { t } = useTranslation()
  const { name, state } = operator
  const params = { path: { name } }
  return (
    <span className={rowActions}>
      {state === 'pending' && <PendingActions operator={operator} />}
      <ActionButton
        size="compact-xs"
        label={t('operator.operators.reset')}
        ariaLabel={`${t('operator.operators.reset')}: ${name}`}
        title={t('operator.operators.resetTitle', { name })}
        hint={t('operator.operators.resetHint')}
        isDestructive
        send={(reason) => askToWrite(() => operatorApi.POST('/operators/{name}/reset', { params, body: { reason } }))}
        onDone={onCreated}
      />
      {(state === 'active' || state === 'locked') && (
        <ActionButton
          size="compact-xs"
          label={t('operator.operators.disable')}
          ariaLabel={`${t('operator.operators.disable')}: ${name}`}
          title={t('operator.operators.disableTitle', { name })}
          hint={t('operator.operators.disableHint')}
          isDestructive
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/operators/{name}/disable', { params, body: { reason } }))
          }
          news={t('operator.operators.disabled', { name })}
        />
      )}
    </span>
  )
}

/** Another administrator approves or rejects the request; its author can only withdraw it. */
function PendingActions({ operator: { name, role, requestedBy } }: { operator: Operator }) {
  const { t } = useTranslation()
  const isOwn = requestedBy === useOperator().name
  const params = { path: { name } }
  const body = (reason: string) => (reason === '' ? {} : { reason })
  const rejectLabel = t(`operator.operators.${isOwn ? 'takeBack' : 'reject'}`)
  return (
    <>
      {!isOwn && (
        <ActionButton
          size="compact-xs"
          label={t('operator.operators.approve')}
          ariaLabel={`${t('operator.operators.approve')}: ${name}`}
          title={t('operator.operators.approveTitle', { name, role: t(`operator.roles.${role}`) })}
          hint={t('operator.operators.approveHint')}
          isReasonOptional
          send={(reason) =>
            askToWrite(() => operatorApi.POST('/operators/{name}/approve', { params, body: body(reason) }))
          }
          news={t('operator.operators.approved', { name })}
        />
      )}
      <ActionButton
        size="compact-xs"
        label={rejectLabel}
        ariaLabel={`${rejectLabel}: ${name}`}
        title={t('operator.operators.rejectTitle', { name })}
        hint={t('operator.operators.rejectHint')}
        isDestructive
        isReasonOptional
        send={(reason) =>
          askToWrite(() => operatorApi.POST('/operators/{name}/reject', { params, body: body(reason) }))
        }
        news={t('operator.operators.rejected', { name })}
      />
    </>
  )
}

/** Shows the first password and the TOTP secret once, and stays open until they have been passed on. */
function NewSignIn({ created, onDone }: { created: NewOperator | null; onDone: () => void }) {
  const { t } = useTranslation()
  return (
    <Dialog
      title={t('operator.operators.newTitle', { name: created?.name ?? '' })}
      isOpen={created !== null}
      onClose={onDone}
      isHeld
    >
      {created && <ShownOnce created={created} onDone={onDone} />}
    </Dialog>
  )
}

function ShownOnce({ created, onDone }: { created: NewOperator; onDone: () => void }) {
  const { t } = useTranslation()
  const [isSaved, setSaved] = useState(false)
  useLeaveWarning(!isSaved)
  return (
    <>
      <Notice tone="wait">{t('operator.secret.once')}</Notice>
      {created.state === 'pending' && (
        <Notice tone="wait">{t('operator.operators.newPending', { name: created.name })}</Notice>
      )}
      <Secret
        label={`${t('operator.secret.password')}${t('common.note', { text: t('operator.secret.passwordHint') })}`}
        text={created.password}
      />
      <OperatorTotpSecret uri={created.totpUri} />
      <Checkbox
        label={t('operator.secret.saved')}
        checked={isSaved}
        onChange={(event) => setSaved(event.currentTarget.checked)}
      />
      <DialogActions>
        <Button disabled={!isSaved} onClick={onDone}>
          {t('operator.secret.done')}
        </Button>
      </DialogActions>
    </>
  )
}

function useAddForm(onAdded: (created: NewOperator) => void): DialogForm<'name' | 'role' | 'reason', NewOperator> {
  const { t } = useTranslation()
  const reason = useReasonField()
  return {
    title: t('operator.operators.addTitle'),
    hint: t('operator.operators.addHint'),
    submitLabel: t('operator.operators.submit'),
    fields: [
      {
        name: 'name',
        label: t('operator.operators.name'),
        hint: t('operator.operators.nameHint'),
        maxLength: 64,
        codes: ['OPERATOR_NAME_INVALID', 'OPERATOR_ALREADY_EXISTS'],
      },
      {
        name: 'role',
        label: t('operator.operators.role'),
        kind: 'choice',
        choices: operatorRoles.map((role) => ({
          value: role,
          label: `${t(`operator.roles.${role}`)}: ${t(`operator.roleHints.${role}`)}`,
        })),
        codes: ['ROLE_INVALID'],
      },
      reason,
    ],
    send: ({ name, role, reason: why }) =>
      askToWrite(() =>
        operatorApi.POST('/operators', {
          body: { name: name.trim(), role: role as Operator['role'], reason: why.trim() },
        }),
      ),
    onDone: onAdded,
  }
}
