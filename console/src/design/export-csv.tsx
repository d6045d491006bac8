import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask, gateway } from '../api/gateway.ts'
import type { LedgerFilters, UsageFilters } from '../api/queries.ts'
import { Icons } from './icons.tsx'
import { Notice } from './notice.tsx'
import { Problem } from './problem.tsx'

/** What is exported, and the filters of the list that it is exported from. */
export type CsvExport =
  | { readonly path: '/console/usage.csv'; readonly filters: UsageFilters }
  | { readonly path: '/console/ledger.csv'; readonly filters: LedgerFilters }

/** Fetches the file first, so that a refusal is shown on the page and not saved as a file. */
export function useExportCsv(what: CsvExport) {
  const { path, filters } = what
  const { from, to } = filters
  return useMutation({
    async mutationFn() {
      let isCut = false
      const csv = await ask(async () => {
        const reply = await gateway.GET(path, { params: { query: filters }, parseAs: 'blob' })
        isCut = reply.response.headers.get('x-export-cut') === 'true'
        return reply as { data?: Blob; error?: unknown; response: Response }
      })
      save(csv, [path.slice('/console/'.length, -'.csv'.length), from, to].filter(Boolean).join('-'))
      return isCut
    },
  })
}

type Exporting = ReturnType<typeof useExportCsv>

export function ExportButton({ exporting, isDisabled }: { exporting: Exporting; isDisabled?: boolean }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      leftSection={<Icons.download size={16} />}
      loading={exporting.isPending}
      disabled={isDisabled ?? false}
      onClick={() => exporting.mutate()}
    >
      {t('common.exportCsv')}
    </Button>
  )
}

/** What the reader should know of the last export. */
export function ExportOutcome({ exporting: { error, data: isCut } }: { exporting: Exporting }) {
  const { t } = useTranslation()
  if (error) return <Problem error={error} />
  return isCut ? (
    <Notice tone="wait" isNews>
      {t('common.exportCut')}
    </Notice>
  ) : null
}

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
