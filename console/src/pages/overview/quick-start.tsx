import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { keysQuery } from '../../api/queries.ts'
import { CodeBlock } from '../../design/code-block.tsx'
import { Copy } from '../../design/copy.tsx'
import { Sheet } from '../../design/sheet.tsx'
import { curlOf } from '../../format/curl.ts'
import styles from './quick-start.module.css'

/** The address and a command that works as it stands, once the key is in the variable. */
export function QuickStart({ baseUrl }: { baseUrl: string }) {
  const { t, i18n } = useTranslation()
  const { data } = useQuery(keysQuery)
  const key = data?.items.find(({ state, scopes }) => state === 'active' && scopes.includes('models:invoke'))
  const prompt = i18n.language === 'en' ? 'Say hello.' : '用一句话介绍杭州。'
  return (
    <Sheet title={t('overview.start')}>
      <p className={styles.base}>
        <span className={styles.label}>{t('overview.baseUrl')}</span> <code>{baseUrl}</code>{' '}
        <Copy text={baseUrl} of={t('overview.baseUrl')} />
      </p>
      <CodeBlock
        label={t('overview.command')}
        code={curlOf({ url: `${baseUrl}/v1/models/chat`, body: { prompt }, keyPrefix: key?.displayPrefix })}
        hint={key ? t('overview.commandKey', { prefix: key.displayPrefix }) : t('overview.commandNoKey')}
      />
    </Sheet>
  )
}
