import { useTranslation } from 'react-i18next'
import { Link } from 'wouter'
import { PageHead } from './page-head.tsx'

export function NoSuchPage() {
  const { t } = useTranslation()
  return (
    <div>
      <PageHead title={t('common.notFound')} lead={t('common.notFoundHint')} />
      <p>
        <Link href="/">{t('common.toOverview')}</Link>
      </p>
    </div>
  )
}
