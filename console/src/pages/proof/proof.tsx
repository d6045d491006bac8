import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { originIn, sizeIn } from '../../../site/verify/seen.ts'
import { ask } from '../../api/ask.ts'
import { Button, RowButton } from '../../design/button.tsx'
import { type Column, DataTable, save } from '../../design/data-table.tsx'
import { Select } from '../../design/field.tsx'
import { Mark, Time } from '../../design/figures.tsx'
import { Icons } from '../../design/icons.tsx'
import { Empty, LoadingRows, Notice, Problem, type Tone } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { dayAt } from '../../format/calendar.ts'
import { useFormat } from '../../format/format.ts'
import {
  CannotVerify,
  type CheckpointState,
  checkSeen,
  entriesOf,
  type JudgedCheckpoint,
  statementOf,
} from './check.ts'
import styles from './proof.module.css'
import { VerifyButton } from './verify-button.tsx'

export function Proof() {
  const { t } = useTranslation()
  return (
    <div>
      <PageHead title={t('proof.title')} lead={t('proof.lead')} />
      <Seen />
      <Statement />
      <Sheet title={t('proof.elsewhere')}>
        <p>{t('proof.elsewhereHint')}</p>
        <pre className={styles.payload}>
          {`curl -O ${location.origin}/verify/verify.mjs\nnode verify.mjs receipt.jws --keys jwks.json --since old.checkpoint`}
        </pre>
        <p className={styles.links}>
          <a href="/verify/verify.mjs" download="verify.mjs">
            {t('proof.program')}
          </a>
          <a href="/.well-known/jwks.json" download="jwks.json">
            {t('proof.keys')}
          </a>
          <a href="/verify">{t('proof.page')}</a>
        </p>
      </Sheet>
    </div>
  )
}

function Seen() {
  const { t } = useTranslation()
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['proof'],
    queryFn: checkSeen,
    retry: false,
    gcTime: 0,
  })
  return (
    <Sheet
      title={t('proof.seen')}
      actions={
        <Button variant="default" size="compact-sm" loading={isFetching} onClick={() => void refetch()}>
          {t('proof.checkAgain')}
        </Button>
      }
    >
      <p className={styles.hint}>{t('proof.seenHint')}</p>
      {error instanceof CannotVerify ? (
        <Notice tone="wait" title={t('proof.unableTitle')}>
          {t('proof.unable')}
        </Notice>
      ) : (
        error && <Problem error={error} onRetry={() => void refetch()} />
      )}
      {!data && !error && <LoadingRows rows={3} />}
      {data?.length === 0 && <Empty title={t('proof.none')} hint={t('proof.noneHint')} />}
      {data && data.length > 0 && (
        <>
          <Judgement seen={data} />
          <SeenTable seen={data} />
        </>
      )}
    </Sheet>
  )
}

function Judgement({ seen }: { seen: readonly JudgedCheckpoint[] }) {
  const { t } = useTranslation()
  const worst = (['rewritten', 'unknown', 'otherLog'] as const).find((bad) =>
    seen.some(({ standing }) => standing === bad),
  )
  const tone: Tone = worst === 'rewritten' ? 'bad' : worst === undefined ? 'good' : 'wait'
  // One checkpoint alone says nothing about the history.
  const judgement = worst ?? (seen.length > 1 ? 'consistent' : 'first')
  return (
    <Notice tone={tone} isNews title={t(`proof.judgements.${judgement}`)}>
      {t(`proof.judgementHints.${judgement}`)}
    </Notice>
  )
}

const tones: Record<CheckpointState, Tone> = {
  current: 'good',
  consistent: 'good',
  otherLog: 'wait',
  unknown: 'wait',
  rewritten: 'bad',
}

function SeenTable({ seen }: { seen: readonly JudgedCheckpoint[] }) {
  const { t } = useTranslation()
  const format = useFormat()
  const columns: Column<JudgedCheckpoint>[] = [
    { key: 'at', title: t('proof.at'), narrow: 'untitled', cell: ({ at }) => <Time at={at} /> },
    {
      key: 'log',
      title: t('proof.log'),
      isMain: true,
      isText: true,
      cell: ({ note }) => <code>{originIn(note)}</code>,
    },
    {
      key: 'size',
      title: t('proof.size'),
      isNumber: true,
      narrow: 'inline',
      cell: ({ note }) => format.number(sizeIn(note)),
    },
    {
      key: 'standing',
      title: t('proof.standing'),
      narrow: 'untitled',
      cell: ({ standing }) => <Mark tone={tones[standing]}>{t(`proof.standings.${standing}`)}</Mark>,
    },
    {
      key: 'file',
      title: t('proof.file'),
      narrow: 'untitled',
      cell: ({ note }) => (
        <RowButton onClick={() => save(new Blob([note], { type: 'text/plain' }), `${sizeIn(note)}.checkpoint`)}>
          {t('proof.download')}
        </RowButton>
      ),
    },
  ]
  return <DataTable caption={t('proof.seen')} columns={columns} rows={seen} rowKey={({ note }) => note} />
}

const monthsOffered = 24

/** This month and those before it. */
function recentMonths(today: string): string[] {
  const [year, month] = today.split('-').map(Number) as [number, number]
  return Array.from({ length: monthsOffered }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  )
}

function Statement() {
  const { t } = useTranslation()
  const [months] = useState(() => recentMonths(dayAt(Date.now())))
  const [month, setMonth] = useState(months[0]!)
  const download = useMutation({
    mutationFn: async (end: 'jws' | 'jsonl') =>
      save(await ask(end === 'jws' ? statementOf(month) : entriesOf(month)), `statement-${month}.${end}`),
  })
  const button = (end: 'jws' | 'jsonl') => (
    <Button
      variant="default"
      icon={<Icons.download size={16} />}
      loading={download.isPending && download.variables === end}
      onClick={() => download.mutate(end)}
    >
      {t(`proof.${end}`)}
    </Button>
  )
  return (
    <Sheet title={t('proof.statement')}>
      <p className={styles.hint}>{t('proof.statementHint')}</p>
      {download.error && <Problem error={download.error} />}
      <div className={styles.statement}>
        <Select
          label={t('proof.month')}
          value={month}
          onChange={(event) => {
            setMonth(event.currentTarget.value)
            download.reset()
          }}
          data={months}
        />
        {button('jws')}
        {button('jsonl')}
        <VerifyButton of={{ month }} />
      </div>
    </Sheet>
  )
}
