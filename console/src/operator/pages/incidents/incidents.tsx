import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Button } from '../../../design/button.tsx'
import { type Column, DataTable } from '../../../design/data-table.tsx'
import { Mark, Time } from '../../../design/figures.tsx'
import { Empty } from '../../../design/notice.tsx'
import { PageHead, Sheet, wide } from '../../../design/page.tsx'
import { minuteAt, zoneOffset } from '../../../format/calendar.ts'
import { askToWrite, operatorApi } from '../../api/client.ts'
import { incidentsQuery } from '../../api/queries.ts'
import { useMay } from '../../api/session.ts'
import type { Incident } from '../../api/types.ts'
import { type DialogForm, FormDialog } from '../../parts/form-dialog.tsx'
import { Loaded, rowActions, useNotify } from '../../parts/parts.tsx'

export function Incidents() {
  const { t } = useTranslation()
  const mayWrite = useMay('incidents')
  const [isAdding, setAdding] = useState(false)
  const [editing, setEditing] = useState<Incident | null>(null)
  const [ending, setEnding] = useState<Incident | null>(null)
  const addForm = useAddForm()
  const editForm = useEditForm(editing)
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
              <IncidentTable incidents={items} actions={mayWrite ? { onEdit: setEditing, onEnd: setEnding } : null} />
            )
          }
        </Loaded>
      </Sheet>
      <FormDialog form={isAdding ? addForm : null} onClose={() => setAdding(false)} />
      <FormDialog form={editForm} onClose={() => setEditing(null)} />
      <FormDialog form={endForm} onClose={() => setEnding(null)} />
    </div>
  )
}

const tones = { planned: 'wait', open: 'bad', ended: 'plain' } as const

interface IncidentTableProps {
  readonly incidents: readonly Incident[]
  /** Null if the operator may not change anything. */
  readonly actions: Readonly<Record<'onEdit' | 'onEnd', (incident: Incident) => void>> | null
}

function IncidentTable({ incidents, actions }: IncidentTableProps) {
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
    ...(actions
      ? [
          {
            key: 'action',
            title: t('operator.incidents.action'),
            isNumber: true,
            narrow: 'untitled' as const,
            cell: (incident: Incident) => (
              <span className={rowActions}>
                <Button variant="default" size="compact-xs" onClick={() => actions.onEdit(incident)}>
                  {t('operator.incidents.edit')}
                </Button>
                {incident.state !== 'ended' && (
                  <Button variant="default" size="compact-xs" onClick={() => actions.onEnd(incident)}>
                    {t('operator.incidents.end')}
                  </Button>
                )}
              </span>
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

type TextsForm = DialogForm<'zh' | 'en' | 'from' | 'to', Incident>

/** The fields of a new incident, or of the one that is edited. */
function useFields(edited: Incident | null): TextsForm['fields'] {
  const { t } = useTranslation()
  const text = { hint: t('operator.incidents.textHint'), kind: 'lines', maxLength: 500 } as const
  const time = (name: 'from' | 'to') => {
    const at = edited?.[name]
    return {
      name,
      label: t(`operator.incidents.${name}`),
      kind: 'time',
      ...(at && { value: minuteAt(Date.parse(at)) }),
    } as const
  }
  return [
    {
      ...{ name: 'zh', label: t('operator.incidents.zh'), ...text, codes: ['INCIDENT_TEXT_INVALID'] },
      ...(edited && { value: edited.zh }),
    },
    { name: 'en', label: t('operator.incidents.en'), ...text, ...(edited && { value: edited.en }) },
    {
      ...time('from'),
      hint: t(edited ? 'operator.incidents.zone' : 'operator.incidents.fromHint'),
      isOptional: !edited,
    },
    {
      ...{ ...time('to'), hint: t(edited?.to ? 'operator.incidents.zone' : 'operator.incidents.toHint') },
      // An end that was announced can be moved, not taken back.
      ...{ isOptional: !edited?.to, codes: ['INCIDENT_TIME_INVALID'] },
    },
  ]
}

const bodyOf = ({ zh, en, from, to }: Readonly<Record<'zh' | 'en' | 'from' | 'to', string>>) => ({
  ...{ zh: oneLine(zh), en: oneLine(en) },
  ...timeIn({ from }),
  ...timeIn({ to }),
})

function useAddForm(): TextsForm {
  const { t } = useTranslation()
  const notify = useNotify()
  return {
    title: t('operator.incidents.add'),
    hint: t('operator.incidents.addHint'),
    fields: useFields(null),
    submitLabel: t('operator.incidents.submit'),
    send: (values) => askToWrite(() => operatorApi.POST('/incidents', { body: bodyOf(values) })),
    onDone: () => notify(t('operator.incidents.published')),
  }
}

function useEditForm(incident: Incident | null): TextsForm | null {
  const { t } = useTranslation()
  const notify = useNotify()
  const fields = useFields(incident)
  if (!incident) return null
  const path = { incidentId: incident.incidentId }
  return {
    title: t('operator.incidents.editTitle'),
    hint: t('operator.incidents.editHint'),
    fields,
    submitLabel: t('operator.incidents.save'),
    send: ({ from, ...values }) => {
      // The field has no seconds: unless it was changed, the beginning stays as it is.
      const isMoved = from !== minuteAt(Date.parse(incident.from))
      const body = bodyOf({ ...values, from: isMoved ? from : '' })
      return askToWrite(() => operatorApi.POST('/incidents/{incidentId}/edit', { params: { path }, body }))
    },
    onDone: () => notify(t('operator.incidents.saved')),
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
