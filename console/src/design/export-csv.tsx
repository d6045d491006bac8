import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask, gateway } from '../api/gateway.ts'
import styles from './export-csv.module.css'
import { Icons } from './icons.tsx'
import { Notice } from './notice.tsx'
import { Problem } from './problem.tsx'

interface ExportCsvProps {
  readonly path: '/console/usage.csv' | '/console/ledger.csv'
  readonly days: { readonly from?: string; readonly to?: string }
  readonly hint?: string
}

/** Fetches the file first, so that a refusal is shown here and not saved as a file. */
export function ExportCsv({ path, days, hint }: ExportCsvProps) {
  const { t } = useTranslation()
  const { from, to } = days
  const exporting = useMutation({
    async mutationFn() {
      let isCut = false
      const csv = await ask(async () => {
        const query = { ...(from && { from }), ...(to && { to }) }
        const reply = await gateway.GET(path, { params: { query }, parseAs: 'blob' })
        isCut = reply.response.headers.get('x-export-cut') === 'true'
        return reply as { data?: Blob; error?: unknown; response: Response }
      })
      save(csv, [path.slice('/console/'.length, -'.csv'.length), from, to].filter(Boolean).join('-'))
      return isCut
    },
  })
  return (
    <>
      <Button
        variant="default"
        size="compact-sm"
        leftSection={<Icons.download size={16} />}
        loading={exporting.isPending}
        onClick={() => exporting.mutate()}
        title={hint}
      >
        {t('common.exportCsv')}
      </Button>
      {(exporting.error || exporting.data) && (
        <div className={styles.outcome}>
          {exporting.error && <Problem error={exporting.error} />}
          {exporting.data && (
            <Notice tone="wait" isNews>
              {t('common.exportCut')}
            </Notice>
          )}
        </div>
      )}
    </>
  )
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
