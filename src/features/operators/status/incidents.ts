import { newSortableId } from '../../../base/ids.ts'
import { dayMs, isoOf, isoOrNull } from '../../../base/time.ts'
import { operatorRefusal } from '../../../contract/error-codes/operators.ts'
import type { IncidentState } from '../../../documents/status.ts'
import { ok } from '../../../http/endpoint.ts'
import { type Actor, noteOf, oneLine } from '../../../operator-kit/actor.ts'
import { type OperatorHandler, operatorHandler } from '../../../operator-kit/endpoint.ts'
import { ownReasons } from '../../../operator-kit/own-reasons.ts'
import { createActionStore } from '../../../operator-kit/store.ts'
import type { OperatorPart } from '../../../ops/feature.ts'
import type { Engine, Reader, Writer } from '../../../storage/engine.ts'
import { integer, orNull, type RowOf, rowMapper, text } from '../../../storage/row-mapper.ts'
import {
  type AddIncidentRequest,
  type EditIncidentRequest,
  type EndIncidentRequest,
  type Incident,
  incidentOperations,
  incidentTextLimit,
  listedIncidents,
} from './contract.ts'

const incidents = rowMapper('incidents', {
  incidentId: text(),
  zh: text(),
  en: text(),
  startsAt: integer(),
  endsAt: orNull(integer()),
  addedBy: text(),
})

type IncidentRow = RowOf<typeof incidents.columns>

/** Open ones first, then planned ones, each the newest first. */
export async function listIncidents(tx: Reader, now: number): Promise<Incident[]> {
  const newest = await incidents.all(tx, `ORDER BY starts_at DESC, incident_id DESC LIMIT ${listedIncidents}`)
  const open = await incidents.all(tx, `WHERE ends_at IS NULL ORDER BY starts_at DESC LIMIT ${listedIncidents}`)
  const rows = [...new Map([...newest, ...open].map((row) => [row.incidentId, row])).values()]
  const rank = (row: IncidentRow) => ['open', 'planned', 'ended'].indexOf(stateOf(row, now))
  return rows
    .sort((a, b) => rank(a) - rank(b) || b.startsAt - a.startsAt || (a.incidentId < b.incidentId ? 1 : -1))
    .slice(0, listedIncidents)
    .map((row) => incidentOf(row, now))
}

const incidentOf = (row: IncidentRow, now: number): Incident => ({
  incidentId: row.incidentId,
  state: stateOf(row, now),
  zh: row.zh,
  en: row.en,
  from: isoOf(row.startsAt),
  to: isoOrNull(row.endsAt),
  addedBy: row.addedBy,
})

function stateOf({ startsAt, endsAt }: Pick<IncidentRow, 'startsAt' | 'endsAt'>, now: number): IncidentState {
  if (endsAt !== null && endsAt <= now) return 'ended'
  return startsAt > now ? 'planned' : 'open'
}

const reads = (tx: Reader) => ({
  incident: (incidentId: string) => incidents.get(tx, 'WHERE incident_id = $1', [incidentId]),
})
const writes = (tx: Writer) => ({
  insertIncident: (row: IncidentRow) => incidents.insert(tx, row),
  changeIncident: ({ incidentId, ...changed }: IncidentRow) =>
    incidents.update(tx, changed, 'incident_id = $1', [incidentId]),
  /** Changes no row if it has ended: of two operators who end it at once, one is refused. */
  endIncident: ({ incidentId, startsAt, endsAt }: IncidentRow, now: number) =>
    incidents.update(tx, { startsAt, endsAt }, 'incident_id = $1 AND (ends_at IS NULL OR ends_at > $2)', [
      incidentId,
      now,
    ]),
})

interface IncidentDeps {
  readonly engine: Pick<Engine, 'read' | 'write'>
  readonly clock: () => number
  /** Called when the public should see something else. */
  readonly onChange?: () => void
}

export function incidentHandlers({ onChange, ...deps }: IncidentDeps): OperatorHandler[] {
  const { engine, clock } = deps
  const change = createChanges(deps)
  const published = (incident: Incident) => {
    onChange?.()
    return incident
  }
  return [
    operatorHandler<AddIncidentRequest>('operator.incidents.add', async ({ actor, body }) =>
      ok(published(await change.add(actor, body)), 201),
    ),
    operatorHandler('operator.incidents.list', async () =>
      ok({ items: await engine.read((tx) => listIncidents(tx, clock())) }),
    ),
    operatorHandler<EditIncidentRequest>('operator.incidents.edit', async ({ actor, at, body }) =>
      ok(published(await change.edit(actor, at('incidentId'), body))),
    ),
    operatorHandler<EndIncidentRequest>('operator.incidents.end', async ({ actor, at, body }) =>
      ok(published(await change.end(actor, at('incidentId'), body))),
    ),
  ]
}

/** What operators do to them, each in the transaction of its entry in the audit log. */
function createChanges({ engine, clock }: IncidentDeps) {
  const store = createActionStore(engine, reads, writes)

  async function add(actor: Actor, { zh, en, from, to }: AddIncidentRequest): Promise<Incident> {
    const at = clock()
    const startsAt = timeOf(from, at) ?? at
    const endsAt = timeOf(to, at)
    if (endsAt !== null && endsAt < startsAt) throw operatorRefusal('INCIDENT_TIME_INVALID')
    const incidentId = newSortableId('inc', at)
    const row = { incidentId, zh: lineOf(zh), en: lineOf(en), startsAt, endsAt, addedBy: actor.name }
    const note = noteOf(actor, { action: 'incident.add', object: incidentId, reason: row.en }, at)
    await store.write(async (tx) => {
      await tx.insertIncident(row)
      await tx.audit({ ...note, at, before: null, after: auditedState(row, at) })
    })
    return incidentOf(row, at)
  }

  async function edit(actor: Actor, incidentId: string, request: EditIncidentRequest): Promise<Incident> {
    const at = clock()
    return store.write(async (tx) => {
      const row = await tx.incident(incidentId)
      if (!row) throw operatorRefusal('INCIDENT_NOT_FOUND')
      const edited = editedRow(row, request, at)
      await tx.changeIncident(edited)
      const note = noteOf(actor, { action: 'incident.edit', object: incidentId, reason: edited.en }, at)
      await tx.audit({ ...note, at, before: auditedTexts(row, at), after: auditedTexts(edited, at) })
      return incidentOf(edited, at)
    })
  }

  async function end(actor: Actor, incidentId: string, { to }: EndIncidentRequest): Promise<Incident> {
    const at = clock()
    const endsAt = timeOf(to, at) ?? at
    const note = noteOf(actor, { action: 'incident.end', object: incidentId, reason: ownReasons.none }, at)
    return store.write(async (tx) => {
      const row = await tx.incident(incidentId)
      if (!row) throw operatorRefusal('INCIDENT_NOT_FOUND')
      if (row.startsAt <= at && endsAt < row.startsAt) throw operatorRefusal('INCIDENT_TIME_INVALID')
      // One that is called off before its beginning took no time.
      const ended = { ...row, startsAt: Math.min(row.startsAt, endsAt), endsAt }
      if ((await tx.endIncident(ended, at)) === 0) throw operatorRefusal('INCIDENT_ENDED')
      await tx.audit({ ...note, at, before: auditedState(row, at), after: auditedState(ended, at) })
      return incidentOf(ended, at)
    })
  }

  return { add, edit, end }
}

/** With what was given. */
function editedRow(row: IncidentRow, { zh, en, from, to }: EditIncidentRequest, at: number): IncidentRow {
  const edited = {
    ...row,
    ...(zh !== undefined && { zh: lineOf(zh) }),
    ...(en !== undefined && { en: lineOf(en) }),
    startsAt: timeOf(from, at) ?? row.startsAt,
    endsAt: timeOf(to, at) ?? row.endsAt,
  }
  if (edited.endsAt !== null && edited.endsAt < edited.startsAt) throw operatorRefusal('INCIDENT_TIME_INVALID')
  return edited
}

export const incidentsPart: OperatorPart = {
  operations: incidentOperations,
  build: (context) => ({ operatorHandlers: incidentHandlers(context) }),
}

const auditedState = (row: IncidentRow, at: number) => ({
  state: stateOf(row, at),
  from: isoOf(row.startsAt),
  ...(row.endsAt !== null && { to: isoOf(row.endsAt) }),
})

const auditedTexts = (row: IncidentRow, at: number) => ({ ...auditedState(row, at), zh: row.zh, en: row.en })

function lineOf(text: string): string {
  const line = oneLine(text, incidentTextLimit)
  if (line === null) throw operatorRefusal('INCIDENT_TEXT_INVALID')
  return line
}

const farthestMs = 366 * dayMs
const isZoned = /^\d{4}-\d\d-\d\dT[\d:.]+(Z|[+-]\d\d:\d\d)$/

/** Null if it is left out. */
function timeOf(given: string | undefined, now: number): number | null {
  if (given === undefined) return null
  // Not a number for a day such as the 32nd, and without a zone, which would be that of the machine.
  const at = isZoned.test(given) ? Date.parse(given) : Number.NaN
  if (!(Math.abs(at - now) <= farthestMs)) throw operatorRefusal('INCIDENT_TIME_INVALID')
  return at
}
