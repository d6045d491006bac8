import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ask, type Reply } from '../api/ask.ts'
import { Button } from './button.tsx'
import { Icons } from './icons.tsx'
import { Notice } from './notice.tsx'
import { Problem } from './problem.tsx'

export interface CsvExport {
  /** Of the file, without its ending. */
  readonly name: string
  readonly read: () => Reply<Blob>
}

/** Fetches the file first, so that a refusal is shown on the page and not saved as a file. */
export function useExportCsv({ name, read }: CsvExport) {
  return useMutation({
    async mutationFn() {
      const csv = await ask(read)
      save(csv, name)
      return isCut(csv)
    },
  })
}

type Exporting = ReturnType<typeof useExportCsv>

export function ExportButton({ exporting, isDisabled }: { exporting: Exporting; isDisabled?: boolean }) {
  const { t } = useTranslation()
  return (
    <Button
      variant="default"
      icon={<Icons.download size={16} />}
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

/** The file is sent while it is read, so that only its last line can say it. */
const isCut = async (file: Blob) => (await file.slice(-200).text()).includes('\nThis file was cut after ')

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = `${name}.csv`
  link.click()
  URL.revokeObjectURL(url)
}
