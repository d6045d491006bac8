import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import {
  Count,
  idParameter,
  OrNull,
  operatorAction,
  operatorView,
  Text,
  Time,
  TimeOrNull,
} from '../../../operator-kit/operation.ts'

const runIdPattern = '^run_[A-Za-z0-9]+$'
const runStates = ['running', 'sound', 'different', 'failed'] as const

const run = {
  runId: Type.String({ pattern: runIdPattern }),
  startedBy: Text(),
  startedAt: Time(),
  finishedAt: TimeOrNull(),
  state: Choice(runStates, {
    description: 'sound: no difference. different: see the differences. failed: it did not finish.',
  }),
  progress: OrNull(
    named('ReconcileProgress', { rows: Count(), total: Count('Rows when it started.') }),
    'While it runs on the responding instance; otherwise null.',
  ),
  differenceCount: OrNull(Count()),
}
export const ReconcileRun = named('ReconcileRun', run)
const ReconcileRuns = named('ReconcileRuns', {
  items: Type.Array(ReconcileRun, { maxItems: 20, description: 'Newest first.' }),
})

const value = Type.Union([Type.String(), Type.Number()])
export const ReconcileResult = named('ReconcileResult', {
  ...run,
  size: OrNull(
    named('ReconciledRows', { projects: Count(), charges: Count(), orders: Count(), entries: Count() }),
    'Rows that were read.',
  ),
  differences: Type.Array(
    named('ReconcileDifference', {
      invariant: Text(),
      projectId: Type.String(),
      at: Text(),
      what: Text(),
      expected: value,
      found: value,
    }),
    { maxItems: 1000, description: 'The first of them.' },
  ),
})

export const reconcileOperations = [
  operatorAction({
    id: 'operator.reconcile.start',
    tag: 'Reconcile',
    path: '/api/reconcile',
    summary: 'Start a run',
    description: 'It runs in the background, one at a time; use GET to follow its progress.',
    permission: 'reconcile',
    responses: [response(202, 'It has started.', ReconcileRun)],
    ownErrors: ['RECONCILE_RUNNING'],
  }),
  operatorView({
    id: 'operator.reconcile.list',
    tag: 'Reconcile',
    path: '/api/reconcile',
    summary: 'List the last runs',
    response: response(200, 'The last runs.', ReconcileRuns),
    isPolled: true,
  }),
  operatorView({
    id: 'operator.reconcile.show',
    tag: 'Reconcile',
    path: '/api/reconcile/{runId}',
    summary: 'Show a run and its differences',
    pathParameters: { runId: idParameter(runIdPattern, 'RECONCILE_RUN_NOT_FOUND') },
    response: response(200, 'The run.', ReconcileResult),
    ownErrors: ['RECONCILE_RUN_NOT_FOUND'],
    isPolled: true,
  }),
]

export type ReconcileRun = Static<typeof ReconcileRun>
export type ReconcileResult = Static<typeof ReconcileResult>
