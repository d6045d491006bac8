import { useEffect, useState } from 'react'

/** Copies a text and says for a moment how that went. */
export function useCopy(text: string, onCopied?: () => void) {
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
  return { outcome, copy }
}
