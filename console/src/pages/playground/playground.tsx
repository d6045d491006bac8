import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useTranslation } from 'react-i18next'
import { useLocation, useParams } from 'wouter'
import { billableOperations } from '../../../../src/contract/prices.ts'
import { Select } from '../../design/field.tsx'
import { LoadingRows } from '../../design/loading-rows.tsx'
import { PageHead } from '../../design/page-head.tsx'
import { Problem } from '../../design/problem.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { wide } from '../../design/wide.ts'
import { handedKey } from '../../hand-overs.ts'
import { contractQuery } from './contract-query.ts'
import { KeyField } from './key-field.tsx'
import { tabMemory, useTabMemory } from './tab-memory.ts'
import { Workbench } from './workbench.tsx'

/** A form for any operation, made from the contract that the gateway publishes. */
export function Playground() {
  const { t } = useTranslation()
  const [, navigate] = useLocation()
  const params = useParams<{ operation?: string }>()
  const operation = billableOperations.find((id) => id === params.operation) ?? 'model.chat'
  const { data: contract, error, refetch } = useQuery(contractQuery)
  const handed = handedKey.useGiven()
  const { apiKey } = useTabMemory()
  useEffect(() => {
    if (handed !== null) tabMemory.change({ apiKey: handed })
  }, [handed])

  return (
    <div className={wide}>
      <PageHead title={t('playground.title')} lead={t('playground.lead')} />
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {!contract && !error && (
        <Sheet>
          <LoadingRows rows={12} />
        </Sheet>
      )}
      {contract && (
        <Workbench contract={contract} operation={operation} apiKey={apiKey}>
          <Select
            label={t('playground.operation')}
            value={operation}
            onChange={(event) => navigate(`/playground/${event.currentTarget.value}`, { replace: true })}
            data={billableOperations.map((value) => ({ value, label: `${t(`operations.${value}`)} · ${value}` }))}
          />
          <KeyField
            value={apiKey}
            onChange={(typed) => tabMemory.change({ apiKey: typed })}
            wasHanded={handed !== null && handed === apiKey}
          />
        </Workbench>
      )}
    </div>
  )
}
