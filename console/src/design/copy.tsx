import { Button } from '@mantine/core'
import { useEffect, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Icons } from './icons.tsx'

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
  const [outcome, setOutcome] = useState<'copied' | 'copyFailed' | null>(null)
  useEffect(() => {
    if (!outcome) return
    const timer = setTimeout(() => setOutcome(null), 2500)
    return () => clearTimeout(timer)
  }, [outcome])

  async function copy() {
    try {
      await navigator.clipboard.writeText(text)
      setOutcome('copied')
      onCopied?.()
    } catch {
      setOutcome('copyFailed')
    }
  }

  return (
    <Button
      size={isMain ? 'sm' : 'compact-sm'}
      variant={isMain ? 'filled' : 'subtle'}
      leftSection={outcome === 'copied' ? <Icons.check size={16} /> : <Icons.copy size={16} />}
      onClick={copy}
      aria-label={outcome ? t(`common.${outcome}`) : `${t('common.copy')}: ${of}`}
      aria-live="polite"
    >
      {t(`common.${outcome ?? 'copy'}`)}
    </Button>
  )
}
