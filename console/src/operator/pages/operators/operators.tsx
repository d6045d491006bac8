import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Empty } from '../../../design/empty.tsx'
import { PageHead } from '../../../design/page-head.tsx'
import { Sheet } from '../../../design/sheet.tsx'
import { Mark } from '../../../design/state-mark.tsx'
import { useFormat } from '../../../format/format.ts'
import { operatorsQuery } from '../../api/queries.ts'
import { useMay, useOperator } from '../../api/session.ts'
import type { NewOperator, Operator } from '../../api/types.ts'
import { FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { NewSignIn } from './new-sign-in.tsx'
import { OperatorActions } from './operator-actions.tsx'
import styles from './operators.module.css'
import { useAddForm } from './use-add-form.ts'

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
  /** Null where nothing may be changed. */
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
          {name} {name === me.name && <span className={styles.you}>({t('operator.operators.you')})</span>}
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
