import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark, Time } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { zoneOffset } from '../../../format/calendar.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { incidentsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Incident } from '../../api/types.ts'
import { type DialogForm, FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded, useNotify } from '../../parts/parts.tsx'

export function Incidents() {
  const { t } = useTranslation()
  const mayWrite = useMay('incidents')
  const [isAdding, setAdding] = useState(false)
  const [ending, setEnding] = useState<Incident | null>(null)
  const addForm = useAddForm()
  const endForm = useEndForm(ending)
  return (
    <div className={wide}>
      <PageHead
        title={t('operator.incidents.title')}
        lead={t('operator.incidents.lead')}
        actions={mayWrite && <Button onClick={() => setAdding(true)}>{t('operator.incidents.add')}</Button>}
      />
      <Sheet>
        <Loaded query={incidentsQuery}>
          {({ items }) =>
            items.length === 0 ? (
              <Empty title={t('operator.incidents.none')} hint={t('operator.incidents.noneHint')} />
            ) : (
              <IncidentTable incidents={items} onEnd={mayWrite ? setEnding : null} />
            )
          }
        </Loaded>
      </Sheet>
      <FormDialog form={isAdding ? addForm : null} onClose={() => setAdding(false)} />
      <FormDialog form={endForm} onClose={() => setEnding(null)} />
    </div>
  )
}

const tones = { planned: 'wait', open: 'bad', ended: 'plain' } as const

interface IncidentTableProps {
  readonly incidents: readonly Incident[]
  /** Null if the operator may not change anything. */
  readonly onEnd: ((incident: Incident) => void) | null
}

function IncidentTable({ incidents, onEnd }: IncidentTableProps) {
  const { t } = useTranslation()
  const columns: Column<Incident>[] = [
    {
      key: 'text',
      title: t('operator.incidents.text'),
      isMain: true,
      cell: ({ zh, en }) => (
        <>
          <div lang="zh-CN">{zh}</div>
          <div lang="en">{en}</div>
        </>
      ),
    },
    {
      key: 'state',
      title: t('operator.incidents.state'),
      narrow: 'untitled',
      cell: ({ state }) => (
        <span>
          <Mark tone={tones[state]}>{t(`operator.incidents.states.${state}`)}</Mark>
        </span>
      ),
    },
    { key: 'from', title: t('operator.incidents.from'), cell: ({ from }) => <Time at={from} /> },
    { key: 'to', title: t('operator.incidents.to'), cell: ({ to }) => (to ? <Time at={to} /> : '–') },
    { key: 'by', title: t('operator.incidents.by'), cell: ({ addedBy }) => addedBy },
    ...(onEnd
      ? [
          {
            key: 'action',
            title: t('operator.incidents.action'),
            isNumber: true,
            narrow: 'untitled' as const,
            cell: (incident: Incident) =>
              incident.state !== 'ended' && (
                <Button variant="default" size="compact-xs" onClick={() => onEnd(incident)}>
                  {t('operator.incidents.end')}
                </Button>
              ),
          },
        ]
      : []),
  ]
  return (
    <DataTable
      caption={t('operator.incidents.title')}
      columns={columns}
      rows={incidents}
      rowKey={({ incidentId }) => incidentId}
    />
  )
}

function useAddForm(): DialogForm<'zh' | 'en' | 'from' | 'to', Incident> {
  const { t } = useTranslation()
  const notify = useNotify()
  const text = { hint: t('operator.incidents.textHint'), kind: 'lines', maxLength: 500 } as const
  const codes = ['INCIDENT_TIME_INVALID'] as const
  return {
    title: t('operator.incidents.add'),
    hint: t('operator.incidents.addHint'),
    fields: [
      { name: 'zh', label: t('operator.incidents.zh'), ...text, codes: ['INCIDENT_TEXT_INVALID'] },
      { name: 'en', label: t('operator.incidents.en'), ...text },
      {
        ...{ name: 'from', label: t('operator.incidents.from'), hint: t('operator.incidents.fromHint') },
        ...{ kind: 'time', isOptional: true },
      },
      {
        ...{ name: 'to', label: t('operator.incidents.to'), hint: t('operator.incidents.toHint') },
        ...{ kind: 'time', isOptional: true, codes },
      },
    ],
    submitLabel: t('operator.incidents.submit'),
    send: ({ zh, en, from, to }) =>
      askToWrite(() =>
        operatorApi.POST('/incidents', {
          body: { zh: oneLine(zh), en: oneLine(en), ...timeIn({ from }), ...timeIn({ to }) },
        }),
      ),
    onDone: () => notify(t('operator.incidents.published')),
  }
}

function useEndForm(incident: Incident | null): DialogForm<'to', Incident> | null {
  const { t, i18n } = useTranslation()
  const notify = useNotify()
  if (!incident) return null
  const { incidentId, zh, en } = incident
  return {
    title: t('operator.incidents.endTitle'),
    hint: i18n.language === 'en' ? en : zh,
    fields: [
      {
        ...{ name: 'to', label: t('operator.incidents.endAt'), hint: t('operator.incidents.endAtHint') },
        ...{ kind: 'time', isOptional: true, codes: ['INCIDENT_TIME_INVALID'] },
      },
    ],
    submitLabel: t('operator.incidents.end'),
    send: ({ to }) =>
      askToWrite(() =>
        operatorApi.POST('/incidents/{incidentId}/end', { params: { path: { incidentId } }, body: timeIn({ to }) }),
      ),
    onDone: () => notify(t('operator.incidents.ended')),
  }
}

/** Pasted line breaks become spaces. */
const oneLine = (text: string) => text.trim().replaceAll(/\s+/g, ' ')

/** Typed in Beijing time, in which every time is shown; empty is left out. */
const timeIn = <Name extends string>(typed: Record<Name, string>): Partial<Record<Name, string>> =>
  Object.fromEntries(
    Object.entries<string>(typed).flatMap(([name, value]) =>
      value ? [[name, new Date(`${value}${zoneOffset}`).toISOString()]] : [],
    ),
  ) as Partial<Record<Name, string>>
