import { type Static, Type } from 'typebox'
import { Choice, named } from '../field.ts'
import { OrNull, Text, Time } from './fields.ts'
import { answered, type OperatorOperation, operatorView } from './operation.ts'

export const EffectiveSettings = named('EffectiveSettings', {
  items: Type.Array(
    named('EffectiveSetting', {
      key: Text('As in docs/configuration.md.'),
      value: Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
        description: 'A secret is shown as "set" or "not set".',
      }),
    }),
    { maxItems: 2000 },
  ),
})

export const DoctorReport = named('DoctorReport', {
  checkedAt: Time(),
  isHealthy: Type.Boolean(),
  findings: Type.Array(
    named('DoctorFinding', {
      check: Text(),
      level: Choice(['ok', 'warning', 'failure']),
      what: Text(),
      remedy: OrNull(Text()),
    }),
    { maxItems: 200 },
  ),
})

export const settingOperations: OperatorOperation[] = [
  operatorView({
    id: 'operator.settings',
    tag: 'Settings',
    path: '/api/settings',
    summary: 'List the effective settings',
    answer: answered('The settings of this instance, without secrets.', EffectiveSettings, {
      items: [
        { key: 'GATEWAY_ORIGIN', value: 'https://gateway.example' },
        { key: 'GATEWAY_SECRET', value: 'set' },
        { key: 'limits.callsPerKey.max', value: 6000 },
      ],
    }),
  }),
  operatorView({
    id: 'operator.doctor',
    tag: 'Settings',
    path: '/api/doctor',
    summary: 'See what doctor finds',
    answer: answered('The findings, at most 10 seconds old.', DoctorReport, {
      checkedAt: '2026-09-03T09:00:00.000Z',
      isHealthy: true,
      findings: [{ check: 'store', level: 'ok', what: 'the store responds and is writable', remedy: null }],
    }),
  }),
]

export type EffectiveSettings = Static<typeof EffectiveSettings>
export type DoctorReport = Static<typeof DoctorReport>
