import { type Static, Type } from '../../../base/schema.ts'
import { Choice, named } from '../../../contract/field.ts'
import { response } from '../../../contract/operation.ts'
import { OrNull, operatorView, Text, Time } from '../../../operator-kit/operation.ts'

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

export const settingOperations = [
  operatorView({
    id: 'operator.settings',
    tag: 'Settings',
    path: '/api/settings',
    summary: 'List the effective settings',
    response: response(200, 'The settings of this instance, without secrets.', EffectiveSettings),
  }),
  operatorView({
    id: 'operator.doctor',
    tag: 'Settings',
    path: '/api/doctor',
    summary: 'See what doctor finds',
    queryParameters: {
      language: Choice(['en', 'zh'], { default: 'en', description: 'The language of the findings.' }),
    },
    response: response(200, 'The findings, at most 10 seconds old.', DoctorReport),
  }),
]

export type EffectiveSettings = Static<typeof EffectiveSettings>
export type DoctorReport = Static<typeof DoctorReport>
export interface DoctorParameters {
  readonly language: 'en' | 'zh'
}
