import { type Static, Type } from 'typebox'
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

export const runExample: Static<typeof ReconcileRun> = {
  runId: 'run_0M1n2O3p4Q5r6S7t8U9v',
  startedBy: 'mei',
  startedAt: '2026-09-03T09:00:00.000Z',
  finishedAt: '2026-09-03T09:00:02.000Z',
  state: 'different',
  progress: null,
  differenceCount: 1,
}

export const reconcileOperations = [
  operatorAction({
    id: 'operator.reconcile.start',
    tag: 'Reconcile',
    path: '/api/reconcile',
    summary: 'Start a run',
    description: 'It runs in the background, one at a time; use GET to follow its progress.',
    permission: 'reconcile',
    responses: [
      response(202, 'It has started.', ReconcileRun, {
        ...runExample,
        finishedAt: null,
        state: 'running',
        progress: { rows: 0, total: 0 },
        differenceCount: null,
      }),
    ],
    ownErrors: ['RECONCILE_RUNNING'],
  }),
  operatorView({
    id: 'operator.reconcile.list',
    tag: 'Reconcile',
    path: '/api/reconcile',
    summary: 'List the last runs',
    response: response(200, 'The last runs.', ReconcileRuns, { items: [runExample] }),
    isPolled: true,
  }),
  operatorView({
    id: 'operator.reconcile.show',
    tag: 'Reconcile',
    path: '/api/reconcile/{runId}',
    summary: 'Show a run and its differences',
    pathParameters: { runId: idParameter(runIdPattern, 'RECONCILE_RUN_NOT_FOUND', runExample.runId) },
    response: response(200, 'The run.', ReconcileResult, {
      ...runExample,
      size: { projects: 3, charges: 120, orders: 4, entries: 244 },
      differences: [
        {
          invariant: 'I6',
          projectId: 'prj_2kL6nP0qS3tU7vY9aC1dG5',
          at: 'balance',
          what: 'available',
          expected: 940,
          found: 941,
        },
      ],
    }),
    ownErrors: ['RECONCILE_RUN_NOT_FOUND'],
    isPolled: true,
  }),
]

export type ReconcileRun = Static<typeof ReconcileRun>
export type ReconcileResult = Static<typeof ReconcileResult>
