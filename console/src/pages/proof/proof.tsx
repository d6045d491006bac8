import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { originIn, sizeIn } from '../../../site/verify/seen.ts'
import { Button, LinkButton, RowButton } from '../../design/button.tsx'
import { type Column, DataTable, save } from '../../design/data-table.tsx'
import { Mark, Time } from '../../design/figures.tsx'
import { Empty, LoadingRows, Notice, Problem, type Tone } from '../../design/notice.tsx'
import { PageHead, Sheet } from '../../design/page.tsx'
import { useFormat } from '../../format/format.ts'
import { addWords } from '../../i18n/i18n.ts'
import { CannotVerify, type CheckpointState, checkSeen, type JudgedCheckpoint } from './check.ts'
import styles from './proof.module.css'
import * as words from './words.ts'

addWords(words)

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
      {/* As high as the judgement and one row, so that little moves. */}
      {!data && !error && <LoadingRows rows={7} />}
      {data?.length === 0 && <Empty title={t('proof.none')} hint={t('proof.noneHint')} />}
      {data && data.length > 0 && (
        <div className={styles.seen}>
          <Judgement seen={data} />
          <SeenTable seen={data} />
        </div>
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

const Statement = () => {
  const { t } = useTranslation()
  return (
    <Sheet title={t('proof.statement')}>
      <p className={styles.hint}>{t('proof.statementHint')}</p>
      <LinkButton href="/statements" variant="default">
        {t('proof.openStatement')}
      </LinkButton>
    </Sheet>
  )
}
