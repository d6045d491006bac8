import { useTranslation } from 'react-i18next'
import { Button } from './button.tsx'
import { Icons } from './icons.tsx'
import { useCopy } from './use-copy.ts'

interface CopyProps {
  readonly text: string
  /** What is copied, for those who do not see where the button stands. */
  readonly of: string
  readonly onCopied?: () => void
  /** The next thing to do here. */
  readonly isMain?: boolean
}

export function Copy({ text, of, onCopied, isMain }: CopyProps) {
  const { t } = useTranslation()
  const { outcome, copy } = useCopy(text, onCopied)
  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'subtle'}
      icon={outcome === 'copied' ? <Icons.check size={16} /> : <Icons.copy size={16} />}
      onClick={copy}
      aria-label={outcome ? t(`common.${outcome}`) : `${t('common.copy')}: ${of}`}
      aria-live="polite"
    >
      {t(`common.${outcome ?? 'copy'}`)}
    </Button>
  )
}
