import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { TextInput } from '../../../design/field.tsx'
import { Mark, Time } from '../../../design/figures.tsx'
import type { Tone } from '../../../design/notice.tsx'
import { Empty, LoadingRows, Problem } from '../../../design/notice.tsx'
import { PageHead, Sheet } from '../../../design/page.tsx'
import { doctorQuery, settingsQuery } from '../../api/queries.ts'
import type { DoctorFinding, Setting } from '../../api/types.ts'
import { Loaded } from '../../parts/parts.tsx'
import styles from './settings.module.css'

export function Settings() {
  const { t } = useTranslation()
  return (
    <div>
      <PageHead title={t('operator.settings.title')} lead={t('operator.settings.lead')} />
      <Doctor />
      <Sheet title={t('operator.settings.configuration')}>
        <Loaded query={settingsQuery} rows={12}>
          {({ items }) => <Configuration settings={items} />}
        </Loaded>
      </Sheet>
    </div>
  )
}

const tones: Record<DoctorFinding['level'], Tone> = { ok: 'good', warning: 'wait', failure: 'bad' }

/** Failures and warnings by their numbers. */
function Verdict({ findings }: { findings: readonly DoctorFinding[] }) {
  const { t } = useTranslation()
  const counts = (['failure', 'warning'] as const).map((level) => ({
    level,
    count: findings.filter((finding) => finding.level === level).length,
  }))
  const found = counts.filter(({ count }) => count > 0)
  if (found.length === 0) return t('operator.settings.healthy')
  return found.map(({ level, count }) => t(`operator.settings.${level}s`, { count })).join(t('operator.settings.and'))
}

function Doctor() {
  const { t, i18n } = useTranslation()
  const { data, error, refetch, isFetching } = useQuery(doctorQuery(i18n.language === 'en' ? 'en' : 'zh'))
  const columns: Column<DoctorFinding>[] = [
    {
      key: 'check',
      title: t('operator.settings.check'),
      isMain: true,
      cell: ({ check }) => check,
    },
    {
      key: 'level',
      title: t('operator.settings.level'),
      narrow: 'untitled',
      cell: ({ level }) => <Mark tone={tones[level]}>{t(`operator.settings.levels.${level}`)}</Mark>,
    },
    {
      key: 'what',
      title: t('operator.settings.what'),
      isText: true,
      narrow: 'untitled',
      cell: ({ what, remedy }) => (
        <span className={styles.finding}>
          {what}
          {remedy && <span>{remedy}</span>}
        </span>
      ),
    },
  ]
  return (
    <Sheet
      title={t('operator.settings.doctor')}
      actions={
        data && (
          <>
            <span className={styles.checked}>
              <Verdict findings={data.findings} /> <Time at={data.checkedAt} />
            </span>
            <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void refetch()}>
              {t('operator.settings.checkAgain')}
            </Button>
          </>
        )
      }
    >
      {error && <Problem error={error} onRetry={() => void refetch()} />}
      {data ? (
        <DataTable
          caption={t('operator.settings.doctor')}
          columns={columns}
          rows={data.findings}
          rowKey={({ check, what }) => `${check} ${what}`}
        />
      ) : (
        !error && <LoadingRows />
      )}
    </Sheet>
  )
}

function Configuration({ settings }: { settings: readonly Setting[] }) {
  const { t } = useTranslation()
  const [text, setText] = useState('')
  const wanted = text.trim().toLowerCase()
  const shown = settings.filter(({ key }) => key.toLowerCase().includes(wanted))
  const columns: Column<Setting>[] = [
    {
      key: 'key',
      title: t('operator.settings.key'),
      isMain: true,
      cell: ({ key }) => <code className={styles.key}>{key}</code>,
    },
    {
      key: 'value',
      title: t('operator.settings.value'),
      isText: true,
      narrow: 'untitled',
      cell: ({ value }) => (
        <code className={styles.value} data-empty={value === null || undefined}>
          {value === null ? t('operator.settings.empty') : String(value)}
        </code>
      ),
    },
  ]
  return (
    <>
      <p className={styles.checked}>{t('operator.settings.secrets')}</p>
      <TextInput
        className={styles.search ?? ''}
        label={t('operator.settings.search')}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {shown.length === 0 ? (
        <Empty title={t('operator.settings.noMatch')} />
      ) : (
        <DataTable
          caption={t('operator.settings.configuration')}
          columns={columns}
          rows={shown}
          rowKey={({ key }) => key}
        />
      )}
    </>
  )
}
