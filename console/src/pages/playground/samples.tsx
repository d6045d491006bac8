import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CodeBlock } from '../../design/code-block.tsx'
import { Segments } from '../../design/segments.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { codeSamples, type SampleLanguage } from '../../format/code-samples.ts'

const names = { curl: 'curl', javascript: 'JavaScript', python: 'Python' } as const satisfies Record<
  SampleLanguage,
  string
>

/** The same call, to be pasted into a terminal or a program. */
export function Samples(call: { url: string; body: unknown; idempotencyKey: string }) {
  const { t } = useTranslation()
  const [language, setLanguage] = useState<SampleLanguage>('curl')
  return (
    <Sheet
      title={t('playground.code')}
      actions={
        <Segments
          aria-label={t('playground.code')}
          value={language}
          onChange={(chosen) => setLanguage(chosen as SampleLanguage)}
          data={Object.entries(names).map(([value, label]) => ({ value, label }))}
        />
      }
    >
      <CodeBlock label={names[language]} code={codeSamples[language](call)} hint={t('playground.codeHint')} />
    </Sheet>
  )
}
